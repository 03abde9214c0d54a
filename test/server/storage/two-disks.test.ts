/** The storage where it has another file system below its root, or a full one. */
import { test } from 'bun:test'
import { join } from 'node:path'
import { expectInside } from '../../support/inside.ts'
import { noMounts } from '../../support/mounts.ts'

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
  'a full file system leaves nothing half made',
  () => {
    expectInside(inside('full.inside.ts'), [
      { at: 'root', sizeMiB: 4, inodes: 40 },
      { at: 'root/disk', sizeMiB: 4, inodes: 40 },
    ])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'a file system that is mounted at a second place is known',
  () => {
    expectInside(inside('mounted-again.inside.ts'), [
      { at: 'one', sizeMiB: 4 },
      { at: 'other', sizeMiB: 4 },
    ])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'content that a mount keeps is found again, and no command sees it',
  () => {
    expectInside(inside('kept.inside.ts'), [{ at: 'root/disk', sizeMiB: 4 }])
  },
  60_000,
)

test.skipIf(noMounts !== undefined)(
  'a removal is refused completely',
  () => {
    expectInside(inside('removal.inside.ts'), [{ at: 'root/folder/disk', sizeMiB: 4 }])
  },
  60_000,
)
