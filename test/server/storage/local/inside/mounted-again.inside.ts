/** Run by two-disks.test.ts, where `one` and `other` are file systems of their own. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountsShowing } from '#server/storage/local/mounts/mounts.ts'
import { disksInside } from '../../../../support/system/inside.ts'

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
  expect(mountsShowing([disk('one/own')]).sort()).toEqual(paths)
  expect(mountsShowing([disk('whole')]).sort()).toEqual(paths)
  expect(mountsShowing([disk('one/own/file')])).toEqual([disk('again')])
  expect(mountsShowing([disk('one/ow')])).toEqual([])
})

test('a mount that hides an earlier mount below it counts, and the hidden one does not', () => {
  mkdirSync(disk('above/below/folder'), { recursive: true })
  mkdirSync(disk('one/hidden/folder'), { recursive: true })
  mkdirSync(disk('other/shown/below/folder'), { recursive: true })
  mkdirSync(disk('elsewhere'))
  bind('one/hidden', 'above/below')
  bind('other/shown', 'above')
  bind('other/shown/below/folder', 'elsewhere')
  expect(mountsShowing([disk('above/below/folder')])).toEqual([disk('elsewhere')])
})
