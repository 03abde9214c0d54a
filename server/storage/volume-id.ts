/** Which volume something lies on: the kernel renames nothing from one to another. */
import { readFileSync } from 'node:fs'
import type { Handle } from './handle.ts'

/** What the kernel takes for one volume: a device seen through a mount. */
export type VolumeId = string

/** Which volume an open object lies on. */
export function volumeOf(object: Handle): VolumeId {
  return `${object.stat().dev}:${mountOf(object)}`
}

/** The kernel's number of the mount (proc_pid_fdinfo(5)); empty where it does not tell. */
function mountOf({ fd }: Handle): string {
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}
