/** Identifies volumes: the kernel does not rename across them. */
import { mountIdOf } from '#server/os/mount-id.ts'
import type { Handle } from './handle.ts'

/** A device as seen through one mount. */
export type VolumeId = string

/** @returns the volume of an open object */
export function volumeOf({ dev, fd }: Handle): VolumeId {
  return `${dev}:${mountIdOf(fd)}`
}
