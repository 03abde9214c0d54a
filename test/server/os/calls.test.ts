import { afterAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errnoName, errnoOf } from '#server/os/errno.ts'
import { O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { fdinfoOf, mountIdOf } from '#server/os/mount-id.ts'
import { openBeneath, openWithoutLinks } from '#server/os/open-beneath.ts'
import { renameNoReplace } from '#server/os/rename.ts'

const top = mkdtempSync(join(tmpdir(), 'filemgr-os-'))
mkdirSync(join(top, 'folder'))
writeFileSync(join(top, 'folder/file'), 'a')
symlinkSync('folder', join(top, 'inside'))
symlinkSync('/etc', join(top, 'outside'))
const fd = openSync(top, O_FOLDER)

afterAll(() => {
  closeSync(fd)
  rmSync(top, { recursive: true })
})

describe('names of errors', () => {
  test('an errno with two names gets the one that the kernel documents', () => {
    expect([errnoName(11), errnoName(95), errnoName(2)]).toEqual(['EAGAIN', 'EOPNOTSUPP', 'ENOENT'])
  })

  test('an unknown errno has a name too', () => {
    expect(errnoName(9999)).toBe('errno 9999')
  })
})

describe('opening below a folder', () => {
  test('a link that stays below the folder is followed', () => {
    closeSync(openBeneath(fd, 'inside/file', O_PATH))
  })

  test('a link that leaves the folder is refused', () => {
    expect(errnoOfCall(() => openBeneath(fd, 'outside/passwd', O_PATH))).toBe('EXDEV')
  })

  test('every link is refused if links must not be followed', () => {
    expect(errnoOfCall(() => openWithoutLinks(fd, 'inside/file', O_PATH))).toBe('ELOOP')
  })

  test('a path with `..` that leaves the folder is refused', () => {
    expect(errnoOfCall(() => openBeneath(fd, '../..', O_PATH))).toBe('EXDEV')
  })
})

test('a rename without replacement fails with EEXIST if the name is taken', () => {
  writeFileSync(join(top, 'new'), '')
  expect(errnoOfCall(() => renameNoReplace([fd, 'new'], [fd, 'folder']))).toBe('EEXIST')
})

function errnoOfCall(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return errnoOf(error)
  }
  return undefined
}

test('the mount of an object is the one that the process information reports', () => {
  for (const path of [top, '/proc', '/dev']) {
    const opened = openSync(path, O_FOLDER)
    expect(mountIdOf(opened)).toBe(fdinfoOf(opened) ?? 'none')
    closeSync(opened)
  }
  expect(mountIdOf(-1)).toBe('')
})
