/** Installs the system packages that the tests need, if they are missing. */
import { existsSync } from 'node:fs'

/** Program → Debian package: programs that unpack archives of the server, and other servers and clients. */
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

/**
 * Programs whose tests are skipped on a system that has no package of them: codecs of HEIC, servers, file systems in user
 * space, and what runs the executable for Windows.
 */
const OPTIONAL = {
  'heif-enc': 'libheif-examples',
  caddy: 'caddy',
  apache2: 'apache2-bin',
  haproxy: 'haproxy',
  slapd: 'slapd',
  pg_ctlcluster: 'postgresql',
  pgbouncer: 'pgbouncer',
  faketime: 'faketime',
  sshfs: 'sshfs',
  'sftp-server': 'openssh-sftp-server',
  rclone: 'rclone',
  fusermount3: 'fuse3',
  'mkfs.exfat': 'exfatprogs',
  'mount.exfat-fuse': 'exfat-fuse',
  ...(process.arch === 'x64' && {
    wine64: 'wine64',
    'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64-win32',
  }),
}

/**
 * Finds or installs Chromium, the browser of the end-to-end tests. It is a package of the system, and not a download of
 * Playwright.
 *
 * @returns the path of its executable
 * @throws Error with advice, if it is missing and cannot be installed
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
 * Finds or installs the headless shell of Chromium, which has no windows. In it, the same tests take a fifth less time. It
 * shows no PDF.
 *
 * @returns the path of its executable; that of Chromium if the system has no such package, or FILEMGR_CHROMIUM is set
 * @throws Error as `ensureChromium`
 */
export function ensureHeadlessShell(): string {
  const path = '/usr/bin/chromium-headless-shell'
  if (process.env.FILEMGR_CHROMIUM) return ensureChromium()
  if (existsSync(path) || (install(['chromium-headless-shell']) && existsSync(path))) return path
  return ensureChromium()
}

/** Installs missing programs. @throws Error that names their packages, if they cannot be installed */
export function ensurePrograms(): void {
  const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin:/usr/lib/openssh:/usr/lib/wine`
  const absentOf = (programs: Record<string, string>) =>
    Object.entries(programs).filter(([name]) => !Bun.which(name, { PATH }))
  const absent = () => absentOf(PROGRAMS)
  const optional = absentOf(OPTIONAL).map(([, name]) => name)
  // One package that the system lacks must not prevent the others.
  if (optional.length > 0 && !install(optional)) for (const name of optional) install([name])
  const packages = absent().map(([, name]) => name)
  if (packages.length === 0 || (install(packages) && absent().length === 0)) return
  throw new Error(`The tests need: apt-get install ${packages.join(' ')}`)
}

/** Runs apt-get as root, or with `sudo` if that needs no password. @returns whether it succeeded */
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
