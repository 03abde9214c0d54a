/** The executable as an operator has it: alone in a folder, far from the sources it was built from. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'

export interface Installed {
  /** Removed with everything in it by `remove`. */
  folder: string
  executable: string
  /** A folder for one command's `home` or one server's root. */
  makeFolder(name: string): string
  remove(): void
}

export function install(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-packaging-'))
  const executable = join(folder, 'filemgr')
  copyFileSync(resolve(REPO_ROOT, process.env.FILEMGR_BIN ?? 'dist/filemgr'), executable)
  return {
    folder,
    executable,
    makeFolder(name) {
      const made = join(folder, name)
      mkdirSync(made, { recursive: true })
      return made
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
