/** The platforms an executable can be built for. */
import { existsSync } from 'node:fs'

export interface Target {
  /** What Bun calls it. */
  bun: Bun.Build.CompileTarget
  /** What sharp calls it: the ending of its packages' names. */
  sharp: string
}

export const TARGETS: Record<string, Target> = {
  'linux-x64': { bun: 'bun-linux-x64', sharp: 'linux-x64' },
  'linux-arm64': { bun: 'bun-linux-arm64', sharp: 'linux-arm64' },
  'linux-x64-musl': { bun: 'bun-linux-x64-musl', sharp: 'linuxmusl-x64' },
  'linux-arm64-musl': { bun: 'bun-linux-arm64-musl', sharp: 'linuxmusl-arm64' },
}

/** The name, in TARGETS, of the machine that builds. */
export function hostTarget(): string {
  const musl = existsSync(`/lib/ld-musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`)
  return `${process.platform}-${process.arch}${process.platform === 'linux' && musl ? '-musl' : ''}`
}
