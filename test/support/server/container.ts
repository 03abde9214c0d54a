/**
 * The last stage of the Dockerfile as a folder on the disk: its files, accounts and variables are those of the
 * container; other programs and libraries are those of this machine. Commands run in it by chroot, in their own mount
 * namespace.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { REPO_ROOT } from './executable.ts'

export interface Container {
  /** The container's `/` on this disk. */
  top: string
  /**
   * Starts the container.
   *
   * @param args replaces CMD
   * @param user replaces USER
   */
  start(options?: { args?: string[]; env?: Record<string, string>; user?: string }): ChildProcess
  /** Runs a command in the container, as `docker exec` does. @param user replaces USER */
  exec(args: string[], options?: { env?: Record<string, string>; user?: string }): ChildProcess
  /** The command of HEALTHCHECK. */
  healthcheck: string[]
  remove(): void
}

/** Folders that the container has from this machine, because no image can be downloaded. */
const FROM_SYSTEM = ['usr', 'bin', 'lib', 'lib64', 'sbin', 'dev', 'proc']

interface Image {
  copies: [from: string, to: string][]
  commands: string[]
  env: Record<string, string>
  user: string
  folder: string
  entrypoint: string[]
  cmd: string[]
  healthcheck: string[]
}

/** Whether this account may create mount namespaces as root. */
export function canMakeContainers(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false
  return Bun.spawnSync(['unshare', '--mount', 'true']).exitCode === 0
}

/** @param executable replaces the one that the image builds */
export function makeContainer(executable: string): Container {
  const image = readImage(executable)
  const top = mkdtempSync(join(tmpdir(), 'filemgr-container-'))
  chmodSync(top, 0o755)
  for (const name of ['tmp', 'etc', 'image']) mkdirSync(join(top, name))
  chmodSync(join(top, 'tmp'), 0o1777)
  const mounts = [...FROM_SYSTEM.flatMap((name) => fromSystem(top, name))]
  for (const [from, to] of image.copies) {
    const copy = join(top, 'image', to)
    mkdirSync(dirname(copy), { recursive: true })
    // With the mode of its source, as COPY does.
    copyFileSync(from, copy)
    // Mounted over the nearest existing folder of this machine.
    const folder = foldersAbove(to).find((path) => existsSync(path)) ?? '/'
    mounts.push(`mount --bind ${join(top, 'image', folder)} ${join(top, folder)}`)
  }
  const enter = (user: string) => [
    ...['--mount', 'sh', '-ec'],
    `${mounts.join('\n')}\nexec chroot --userspec=${user} ${top} sh -c 'cd ${image.folder} && exec "$@"' sh "$@"`,
    'sh',
  ]
  for (const command of image.commands) {
    const script = `${mounts.join('\n')}\nexec chroot ${top} sh -ec "$1"`
    execFileSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', command])
  }
  const exec: Container['exec'] = (args, { env = {}, user = image.user } = {}) =>
    spawn('unshare', [...enter(user), ...args], {
      env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...image.env, ...env },
    })
  return {
    top,
    start: ({ args = image.cmd, ...options } = {}) => exec([...image.entrypoint, ...args], options),
    exec,
    healthcheck: image.healthcheck,
    remove: () => rmSync(top, { recursive: true, force: true }),
  }
}

/**
 * Parses the instructions of the last stage.
 *
 * @throws Error for an unsupported instruction
 */
function readImage(executable: string): Image {
  const image: Image = {
    copies: [],
    commands: [],
    env: {},
    user: '0:0',
    folder: '/',
    entrypoint: [],
    cmd: [],
    healthcheck: [],
  }
  const text = readFileSync(join(REPO_ROOT, 'Dockerfile'), 'utf8')
  const stage = text.slice(text.lastIndexOf('\nFROM ') + 1)
  const parsers: Record<string, (rest: string) => void> = {
    FROM: () => undefined,
    VOLUME: () => undefined,
    EXPOSE: () => undefined,
    COPY(rest) {
      const [from = '', to = ''] = rest.replace(/^--from=\S+ /, '').split(' ')
      image.copies.push([from.endsWith('/filemgr') ? executable : join(REPO_ROOT, from), to])
    },
    RUN: (rest) => image.commands.push(rest),
    ENV(rest) {
      const [name = '', value = ''] = rest.split('=')
      image.env[name] = value
    },
    USER: (rest) => (image.user = rest),
    WORKDIR: (rest) => (image.folder = rest),
    ENTRYPOINT: (rest) => (image.entrypoint = JSON.parse(rest)),
    CMD: (rest) => (image.cmd = JSON.parse(rest)),
    HEALTHCHECK(rest) {
      image.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')))
    },
  }
  for (const line of stage.split('\n').filter((row) => row !== '' && !row.startsWith('#'))) {
    const [name = '', ...rest] = line.split(' ')
    const parse = parsers[name]
    if (!parse) throw new Error(`The instruction ${name} of the Dockerfile is not supported here.`)
    parse(rest.join(' '))
  }
  return image
}

/** A folder of this machine, or the same symlink if it is one. */
function fromSystem(top: string, name: string): string[] {
  const [from, to] = [`/${name}`, join(top, name)]
  if (!existsSync(from)) return []
  if (lstatSync(from).isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to)
    return []
  }
  mkdirSync(to)
  return [`mount --rbind ${from} ${to}`, `mount --make-rslave ${to}`]
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}
