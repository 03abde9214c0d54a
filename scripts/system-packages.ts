/** What the tests need of the system: brought by its package manager when it is absent. */
import { existsSync } from 'node:fs'

/** Programs that unpack what we pack, and real peers of the server; the Debian package of each. */
const PROGRAMS = {
  unzip: 'unzip',
  bzip2: 'bzip2',
  xz: 'xz-utils',
  lz4: 'lz4',
  zstd: 'zstd',
  brotli: 'brotli',
  nginx: 'nginx-light',
  openssl: 'openssl',
  curl: 'curl',
  ffmpeg: 'ffmpeg',
  pdftoppm: 'poppler-utils',
  soffice: 'libreoffice-writer-nogui',
  strace: 'strace',
} as const

/** Peers whose tests are left out where the system has no package of them. */
const OPTIONAL = { caddy: 'caddy', apache2: 'apache2-bin' } as const

/**
 * Where Chromium is, the browser of the end-to-end tests: the system's, never a download of the test
 * runner.
 *
 * @throws Error that says what to do when it is absent and cannot be installed
 */
export function ensureChromium(): string {
  const path = process.env.FILEMGR_CHROMIUM ?? '/usr/bin/chromium'
  if (existsSync(path)) return path
  if (!process.env.FILEMGR_CHROMIUM && install(['chromium']) && existsSync(path)) return path
  throw new Error(
    `There is no Chromium at ${path}. Install it (apt-get install chromium), or set FILEMGR_CHROMIUM.`,
  )
}

/**
 * Where the engine of Chromium is without its windows, in which the same tests take a fifth less time. It shows no PDF.
 *
 * @returns Chromium itself if the system has no such package, or FILEMGR_CHROMIUM names a browser
 */
export function ensureHeadlessShell(): string {
  const path = '/usr/bin/chromium-headless-shell'
  if (process.env.FILEMGR_CHROMIUM) return ensureChromium()
  if (existsSync(path) || (install(['chromium-headless-shell']) && existsSync(path))) return path
  return ensureChromium()
}

/** @throws Error that names the programs when some are absent and cannot be installed */
export function ensurePrograms(): void {
  const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`
  const absentOf = (programs: Record<string, string>) =>
    Object.entries(programs).filter(([name]) => !Bun.which(name, { PATH }))
  const absent = () => absentOf(PROGRAMS)
  for (const [, name] of absentOf(OPTIONAL)) install([name])
  const packages = absent().map(([, name]) => name)
  if (packages.length === 0 || (install(packages) && absent().length === 0)) return
  throw new Error(`The tests need: apt-get install ${packages.join(' ')}`)
}

/** With root's rights, or with `sudo` that asks nothing. */
function install(packages: string[]): boolean {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  return (
    succeeds([...sudo, 'apt-get', 'update']) &&
    succeeds([...sudo, 'apt-get', 'install', '-y', '--no-install-recommends', ...packages])
  )
}

function succeeds(command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'inherit' }).success
  } catch {
    return false
  }
}
