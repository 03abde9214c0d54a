import { expect, test } from 'bun:test'
import { assertCanServe } from '#server/tree.ts'

test.each(['darwin', 'win32'] as const)('a folder cannot be served on %s', (platform) => {
  expect(() => assertCanServe(platform)).toThrow('filemgr serves on Linux only')
  expect(() => assertCanServe('linux')).not.toThrow()
})
