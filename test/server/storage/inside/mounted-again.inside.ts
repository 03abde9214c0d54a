/** Run by two-disks.test.ts, where `one` and `other` are file systems of their own. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { otherMountsOf } from '#server/storage/mounted-again.ts'
import { disksInside } from '../../../support/inside.ts'

const disk = (name: string) => join(disksInside(), name)
const bind = (from: string, to: string) =>
  expect(Bun.spawnSync(['mount', '--bind', disk(from), disk(to)]).exitCode).toBe(0)

test('mounts that appear twice are recognized, and equal names are not confused', () => {
  for (const name of ['one/own/part/deep', 'other/own/part', 'whole', 'a part', 'deep', 'else']) {
    mkdirSync(disk(name), { recursive: true })
  }
  for (const name of ['one/own/file', 'one/ownership', 'again']) writeFileSync(disk(name), '')
  bind('one/own', 'whole')
  bind('one/own/part', 'a part')
  bind('a part/deep', 'deep')
  bind('other/own/part', 'else')
  bind('one/own/file', 'again')
  const paths = ['whole', 'a part', 'deep', 'again'].map(disk).sort()
  expect(otherMountsOf([disk('one/own')]).sort()).toEqual(paths)
  expect(otherMountsOf([disk('whole')]).sort()).toEqual(paths)
  expect(otherMountsOf([disk('one/own/file')])).toEqual([disk('again')])
  expect(otherMountsOf([disk('one/ow')])).toEqual([])
})
