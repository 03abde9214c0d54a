/** An upload that is published on another file system by a server that is killed before or after the publication. */
import { expect, spyOn, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { STORAGE_OPTIONS, serveForEach } from '../../../../support/storage/served.ts'

const SHARED_MEMORY = '/dev/shm'
const served = serveForEach({ root: 'root' })
const { disk } = served
// The served folder is in the temporary folder.
const hasSecondDisk =
  existsSync(SHARED_MEMORY) && statSync(SHARED_MEMORY).dev !== statSync(tmpdir()).dev

/** Whether the upload is still staged after a start in a folder that a killed server has left. */
async function isStagedAfterStart(root: string): Promise<boolean> {
  const next = await LocalStorage.open(root, STORAGE_OPTIONS)
  try {
    expect(readdirSync(join(root, '.filemgr/work'))).toHaveLength(1)
    return existsSync(join(root, '.filemgr/uploads/abc'))
  } finally {
    next.close()
  }
}

test.skipIf(!hasSecondDisk)(
  'after a crash, an upload is staged if its copy was not published, and removed otherwise',
  async () => {
    const elsewhere = temporaryFolder('filemgr-test-', SHARED_MEMORY)
    try {
      const ownedFile = join(elsewhere.path, 'abc')
      /** Copies the served folder in the state in which a killed server would leave it at this moment. */
      const kill = (name: string) => {
        cpSync(disk('root'), disk(name), { recursive: true })
        cpSync(ownedFile, disk(`${name}/.filemgr/uploads/abc`))
      }
      for (const existing of [undefined, 'older']) {
        const name = existing ?? 'none'
        writeFileSync(ownedFile, 'upload')
        if (existing) writeFileSync(disk('root/file'), existing)
        const original = promises.unlink
        const removals = spyOn(promises, 'unlink').mockImplementation((path) => {
          if (String(path).endsWith('/abc')) kill(`${name}-after`)
          return original(path)
        })
        try {
          await served.storage.write(
            parsePath('/file'),
            { ownedFile },
            {
              overwrite: true,
              accept: () => kill(`${name}-before`),
            },
          )
        } finally {
          removals.mockRestore()
        }
        expect(await isStagedAfterStart(disk(`${name}-before`))).toBe(true)
        expect(await isStagedAfterStart(disk(`${name}-after`))).toBe(false)
        expect(readFileSync(disk(`${name}-after/file`), 'utf8')).toBe('upload')
        expect(existsSync(ownedFile)).toBe(false)
        rmSync(disk('root/file'))
      }
      const [own = ''] = readdirSync(disk('root/.filemgr/work'))
      expect(readdirSync(disk(`root/.filemgr/work/${own}`))).toEqual([])
    } finally {
      elsewhere.remove()
    }
  },
)

/**
 * What server/storage/local/private/handover.ts leaves on the disk, also in an earlier version: these names must not change. The
 * record contains the name of the upload and the inode of the copy.
 */
const ON_DISK = { folder: 'handover-1', copy: 'thing', record: 'upload' }

test('after a crash, the inode or the content of a copy shows if it was published, and a record removes only uploads', async () => {
  const left = (record: string, createEntry?: (path: string) => void) => {
    const root = disk('next')
    rmSync(root, { recursive: true, force: true })
    const folder = join(root, '.filemgr/work/gone', ON_DISK.folder)
    for (const path of [folder, join(root, '.filemgr/uploads')])
      mkdirSync(path, { recursive: true })
    for (const name of ['.filemgr/uploads/abc', 'kept']) writeFileSync(join(root, name), 'upload')
    const copy = join(folder, ON_DISK.copy)
    createEntry?.(copy)
    const inode = createEntry ? statSync(copy).ino : 0
    writeFileSync(join(folder, ON_DISK.record), record.replace('INODE', `${inode}`))
    return root
  }
  const write = (text: string) => (path: string) => writeFileSync(path, text)
  expect(await isStagedAfterStart(left('abc 1'))).toBe(false)
  expect(await isStagedAfterStart(left('abc 1', write('before')))).toBe(false)
  expect(await isStagedAfterStart(left('abc 1', write('upload')))).toBe(true)
  expect(await isStagedAfterStart(left('abc INODE', write('other')))).toBe(true)
  const root = left('../../kept 1')
  expect(await isStagedAfterStart(root)).toBe(true)
  expect(existsSync(join(root, 'kept'))).toBe(true)
})
