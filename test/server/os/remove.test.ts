import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '#server/os/errno.ts'
import { rmSync } from '#server/os/remove.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

let base: ReturnType<typeof temporaryFolder>
const disk = (...names: string[]) => join(base.path, ...names)
beforeEach(() => {
  base = temporaryFolder()
})
afterEach(() => base.remove())

/** As on Windows. */
const removeInSteps = (path: string, force = false) =>
  rmSync(path, { recursive: true, force }, true)

test('a tree is removed step by step, and what its links lead to stays', () => {
  mkdirSync(disk('tree', 'inner'), { recursive: true })
  mkdirSync(disk('outside'))
  writeFileSync(disk('outside', 'kept'), '')
  writeFileSync(disk('tree', 'inner', 'file'), '')
  writeFileSync(Buffer.concat([Buffer.from(disk('tree', 'latin-')), Buffer.of(0xe9)]), '')
  symlinkSync(disk('outside'), disk('tree', 'link'))
  removeInSteps(disk('tree'))
  expect(readdirSync(base.path)).toEqual(['outside'])
  expect(existsSync(disk('outside', 'kept'))).toBe(true)
})

test('what is not there is an error, unless it may be missing', () => {
  removeInSteps(disk('missing'), true)
  let code: string | undefined
  try {
    removeInSteps(disk('missing'))
  } catch (error) {
    code = errnoOf(error)
  }
  expect(code).toBe('ENOENT')
})
