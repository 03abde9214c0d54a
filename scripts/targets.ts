/** The platforms an executable can be built for: those whose kernel calls the storage knows. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface Target {
  /** What Bun calls it. */
  bun: Bun.Build.CompileTarget
  /** What sharp calls it: the ending of its packages' names. */
  sharp: string
  /** What npm calls it. */
  cpu: 'x64' | 'arm64'
  libc: 'glibc' | 'musl'
}

export const TARGETS: Record<string, Target> = {
  'linux-x64': { bun: 'bun-linux-x64', sharp: 'linux-x64', cpu: 'x64', libc: 'glibc' },
  'linux-arm64': { bun: 'bun-linux-arm64', sharp: 'linux-arm64', cpu: 'arm64', libc: 'glibc' },
  'linux-x64-musl': { bun: 'bun-linux-x64-musl', sharp: 'linuxmusl-x64', cpu: 'x64', libc: 'musl' },
  'linux-arm64-musl': {
    bun: 'bun-linux-arm64-musl',
    sharp: 'linuxmusl-arm64',
    cpu: 'arm64',
    libc: 'musl',
  },
}

/** The name, in TARGETS, of the machine that builds. */
export function hostTarget(): string {
  return `${process.platform}-${process.arch}${isBuiltForMusl(process.execPath) ? '-musl' : ''}`
}

/** The dynamic linker of musl for a processor. */
export function muslLoader(cpu: Target['cpu']): string {
  return `/lib/ld-musl-${cpu === 'x64' ? 'x86_64' : 'aarch64'}.so.1`
}

/**
 * Whether an executable names musl's linker in its first page. That this linker is installed would say nothing: it may
 * be there beside glibc (Debian: musl).
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
