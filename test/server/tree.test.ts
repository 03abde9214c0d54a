import { expect, test } from 'bun:test'
import { assertCanServe } from '#server/tree.ts'

test('a folder is served on Linux and Windows, and not on macOS', () => {
  for (const platform of ['linux', 'win32'] as const)
    expect(() => assertCanServe(platform)).not.toThrow()
  expect(() => assertCanServe('darwin')).toThrow('filemgr serves on Linux and Windows only')
})
