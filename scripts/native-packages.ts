/** Installs the native packages for other platforms than this one, in dist/natives. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'
import { hostTarget, type Target } from './targets.ts'

const FOLDER = join(REPO_ROOT, 'dist/natives')
const LOCK = 'package-lock.json'
/** In the folder of a platform, when its packages are complete: the lock file that they were installed from. */
const STAMP = 'installed-lock'

/**
 * Installs the native packages for a target, in the versions of the lock file, if they are not installed.
 *
 * @returns the folder node_modules that contains them
 * @throws Error with the output of npm, if it cannot install them
 */
export function nativeModules(name: string, { os, cpu, libc }: Target): string {
  if (name === hostTarget()) return join(REPO_ROOT, 'node_modules')
  const folder = join(FOLDER, name)
  const modules = join(folder, 'node_modules')
  if (hasNativeModules(name)) return modules
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', LOCK, '.npmrc']) {
    copyFileSync(join(REPO_ROOT, file), join(folder, file))
  }
  const platform = [`--os=${os}`, `--cpu=${cpu}`, ...(libc ? [`--libc=${libc}`] : [])]
  const npm = ['node', join(REPO_ROOT, 'scripts/npm-ci.mjs')]
  const args = [...npm, '--ignore-scripts', '--omit=dev', '--loglevel=error', ...platform]
  const { success, stderr } = Bun.spawnSync(args, { cwd: folder, stdout: 'ignore' })
  if (!success) throw new Error(`npm cannot install the packages for ${name}: ${stderr}`)
  copyFileSync(join(REPO_ROOT, LOCK), join(folder, STAMP))
  return modules
}

/** Whether the native packages for another platform than this one are installed, in the versions of the lock file. */
export function hasNativeModules(name: string): boolean {
  const stamp = join(FOLDER, name, STAMP)
  const lock = readFileSync(join(REPO_ROOT, LOCK), 'utf8')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
}
