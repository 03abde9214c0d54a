/** A copy of the executable in a temporary folder, without the sources that it was built from. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'

export interface Installed {
  /** A temporary folder, which `remove` deletes. */
  folder: string
  executable: string
  /** Creates a folder below `folder`, such as a home folder or a served folder. @returns its path */
  makeFolder(name: string): string
  remove(): void
}

/** Copies the executable of FILEMGR_BIN, or else dist/filemgr. */
export function install(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-packaging-'))
  const executable = join(folder, 'filemgr')
  copyFileSync(resolve(REPO_ROOT, process.env.FILEMGR_BIN ?? 'dist/filemgr'), executable)
  return {
    folder,
    executable,
    makeFolder(name) {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
