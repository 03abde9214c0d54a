/** The platforms for which an executable is built. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface Target {
  /** The name of the platform for Bun. */
  bun: Bun.Build.CompileTarget
  /** The name for sharp: the ending of the names of its packages. */
  sharp: string
  /** The name for the codecs, also an ending of package names. */
  napi: string
  /** The names for npm. */
  os: 'linux' | 'darwin' | 'win32'
  cpu: 'x64' | 'arm64'
  libc?: 'glibc' | 'musl'
}

export const TARGETS: Record<string, Target> = {
  ...linux('x64', 'glibc'),
  ...linux('arm64', 'glibc'),
  ...linux('x64', 'musl'),
  ...linux('arm64', 'musl'),
  ...darwin('x64'),
  ...darwin('arm64'),
  'windows-x64': {
    bun: 'bun-windows-x64',
    sharp: 'win32-x64',
    napi: 'win32-x64-msvc',
    os: 'win32',
    cpu: 'x64',
  },
}

function linux(cpu: Target['cpu'], libc: 'glibc' | 'musl'): Record<string, Target> {
  const isMusl = libc === 'musl'
  const name = `linux-${cpu}${isMusl ? '-musl' : ''}` as const
  return {
    [name]: {
      bun: `bun-${name}`,
      sharp: `linux${isMusl ? 'musl' : ''}-${cpu}`,
      napi: `linux-${cpu}-${isMusl ? 'musl' : 'gnu'}`,
      os: 'linux',
      cpu,
      libc,
    },
  }
}

function darwin(cpu: Target['cpu']): Record<string, Target> {
  const name = `darwin-${cpu}` as const
  return { [name]: { bun: `bun-${name}`, sharp: name, napi: name, os: 'darwin', cpu } }
}

/** @throws Error that names the known targets */
export function targetNamed(name: string): Target {
  const target = TARGETS[name]
  if (!target) throw new Error(`No such target: ${name}. ${Object.keys(TARGETS).join(', ')}`)
  return target
}

/** The ending of the names of a target's executables. */
export function endingOf({ os }: Target): string {
  return os === 'win32' ? '.exe' : ''
}

/**
 * The name, in TARGETS, of the machine that builds.
 *
 * @param platform as Node names it, which is not always the first word of the target's name
 * @throws Error if there is no executable for this machine
 */
export function hostTarget(platform: string = process.platform, arch = process.arch): string {
  const libc = platform === 'linux' ? hostLibc() : undefined
  const found = Object.entries(TARGETS).find(
    ([, target]) => target.os === platform && target.cpu === arch && target.libc === libc,
  )
  if (!found) throw new Error(`There is no executable for ${platform} on ${arch}.`)
  return found[0]
}

function hostLibc(): Target['libc'] {
  return isBuiltForMusl(process.execPath) ? 'musl' : 'glibc'
}

/** The dynamic linker of musl for a processor. */
export function muslLoader(cpu: Target['cpu']): string {
  return `/lib/ld-musl-${cpu === 'x64' ? 'x86_64' : 'aarch64'}.so.1`
}

/**
 * Whether the first page of an executable names the dynamic linker of musl. A check whether this linker is installed would
 * not suffice: it can be installed beside glibc (the Debian package musl).
 */
export function isBuiltForMusl(executable: string): boolean {
  const file = openSync(executable, 'r')
  try {
    const page = Buffer.alloc(4096)
    readSync(file, page)
    return page.includes('/lib/ld-musl-')
  } finally {
    closeSync(file)
  }
}
