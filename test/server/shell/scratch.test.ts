/** Temporary folders of commands. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createScratchFolder, removeStaleScratch } from '#server/shell/scratch.ts'

test('scratch folders of a server that has ended are removed at the next start, and those of running servers are kept', async () => {
  const own = createScratchFolder()
  const gone = Bun.spawn(['true'])
  await gone.exited
  const left = own.replace(`-${process.pid}-`, `-${gone.pid}-`)
  mkdirSync(left)
  writeFileSync(join(left, 'file'), 'left')
  const elsewhere = left.replace(/shell-\d+/, 'shell-1')
  mkdirSync(elsewhere)
  removeStaleScratch()
  expect([own, left, elsewhere].map((path) => existsSync(path))).toEqual([true, false, true])
  for (const path of [own, elsewhere]) rmSync(path, { recursive: true })
})
