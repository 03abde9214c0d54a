/** The storage with another file system below its root, and on a full file system. */
import { test } from 'bun:test'
import { join } from 'node:path'
import { expectInside } from '../../../support/system/inside.ts'
import { noMounts } from '../../../support/system/mounts.ts'

if (noMounts) process.stdout.write(`${noMounts}\n`)
const inside = (name: string) => join(import.meta.dir, 'inside', name)

test.skipIf(noMounts !== undefined)(
  'a merge across file systems that is refused midway leaves its source complete',
  () => {
    expectInside(inside('merges.inside.ts'), [{ at: 'root/disk', sizeMiB: 4 }])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'on a full file system, each operation succeeds or changes nothing',
  () => {
    expectInside(inside('full.inside.ts'), [
      { at: 'root', sizeMiB: 4, inodes: 40 },
      { at: 'root/disk', sizeMiB: 4, inodes: 40 },
    ])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'a second mount of a folder is recognized',
  () => {
    expectInside(inside('mounted-again.inside.ts'), [
      { at: 'one', sizeMiB: 4 },
      { at: 'other', sizeMiB: 4 },
    ])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'trash content on a mounted file system is found after a restart, and hidden from commands',
  () => {
    expectInside(inside('kept.inside.ts'), [{ at: 'root/disk', sizeMiB: 4 }])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'a refused removal of a folder with a mount in it changes nothing',
  () => {
    expectInside(inside('removal.inside.ts'), [{ at: 'root/folder/disk', sizeMiB: 4 }])
  },
  60_000,
)
