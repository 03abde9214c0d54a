/** The browser of the end-to-end tests: the system's, never a download of the test runner. */
import { existsSync } from 'node:fs'

/**
 * Where Chromium is, installed from the system's packages when it is absent and root's rights are at
 * hand.
 *
 * @throws Error that says what to do when it is absent and cannot be installed.
 */
export function ensureChromium(): string {
  const path = process.env.FILEMGR_CHROMIUM ?? '/usr/bin/chromium'
  if (existsSync(path)) return path
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const installed =
    !process.env.FILEMGR_CHROMIUM &&
    succeeds([...sudo, 'apt-get', 'update']) &&
    succeeds([...sudo, 'apt-get', 'install', '-y', '--no-install-recommends', 'chromium'])
  if (installed && existsSync(path)) return path
  throw new Error(
    `There is no Chromium at ${path}. Install it (apt-get install chromium), or set FILEMGR_CHROMIUM.`,
  )
}

function succeeds(command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'inherit' }).success
  } catch {
    return false
  }
}
