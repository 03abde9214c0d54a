/** The platforms an executable can be built for: those whose kernel calls the storage knows. */
import { existsSync } from 'node:fs'

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
  const musl = existsSync(`/lib/ld-musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`)
  return `${process.platform}-${process.arch}${process.platform === 'linux' && musl ? '-musl' : ''}`
}
