/** The tests of the storage of a folder on a disk, on the portable calls. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { REPO_ROOT } from '../../../support/server/executable.ts'
import { ON_PORTABLE_STORAGE } from '../../../support/system/on-portable-storage.ts'

const FILES = [
  'storage/local/local-storage.test.ts',
  'storage/local/concurrent.test.ts',
  'storage/local/last-moment.test.ts',
  'storage/local/confine/real-path.test.ts',
  'storage/local/handles/atomic.test.ts',
  'storage/local/private/private.test.ts',
  'storage/local/volumes/volumes.test.ts',
  'storage/local/trash/trash.test.ts',
]

/**
 * What is otherwise without descriptors: a folder that was moved is not found any more, two names are not exchanged, and
 * programs of the same machine that swap folders are not kept out (docs/protections.md, The portable storage).
 */
const LINUX_ONLY = [
  'an open folder stays the same one after it is renamed and replaced',
  'the file that was checked is replaced, and remains under the staged name',
  'a removal from a folder that has been hidden is refused',
  'a folder that is too deep is not copied or removed',
  'no operation follows a folder that is replaced by a symlink while it runs',
]

test('the tests of the storage of a folder pass on the portable calls', () => {
  const { success, stderr } = Bun.spawnSync(
    [
      process.execPath,
      'test',
      '--timeout=60000',
      '--preload',
      './test/support/system/on-portable-storage.ts',
      '-t',
      `^(?!.*(${LINUX_ONLY.join('|')}))`,
      ...FILES.map((file) => `./${join('test/server', file)}`),
    ],
    { cwd: REPO_ROOT, env: { ...process.env, [ON_PORTABLE_STORAGE]: '1' }, stdout: 'ignore' },
  )
  expect(success ? '' : stderr.toString()).toBe('')
}, 300_000)
