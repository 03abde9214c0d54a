/** Identifies volumes: the kernel does not rename across them. */
import { readFileSync } from 'node:fs'
import type { Handle } from './handle.ts'

/** A device as seen through one mount. */
export type VolumeId = string

/** @returns the volume of an open object */
export function volumeOf(object: Handle): VolumeId {
  return `${object.dev}:${mountOf(object)}`
}

/** The mount id (proc_pid_fdinfo(5)); empty if the kernel does not report it. */
function mountOf({ fd }: Handle): string {
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}
