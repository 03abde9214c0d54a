/**
 * Finds further mounts of a path, such as bind mounts. The kernel lists for each mount which folder of which file
 * system it shows (proc_pid_mountinfo(5)).
 */
import { readFileSync } from 'node:fs'
import { nameOfBytes } from '#wire/names.ts'

interface Mount {
  /** `major:minor` of the file system. */
  device: string
  /** The shown folder, as a path in its own file system. */
  shows: string
  /** The mount point. */
  mountPoint: string
}

/**
 * @param paths absolute, links resolved
 * @returns the mount points that show a path, or something below it, a second time
 */
export function otherMountsOf(paths: readonly string[]): string[] {
  const mounts = allMounts()
  const origins = paths.flatMap((path) => originOf(path, mounts) ?? [])
  const showsAnOrigin = ({ device, shows }: Mount) =>
    origins.some((origin) => origin.device === device && isAtOrBelow(shows, origin.shows))
  return mounts.filter(showsAnOrigin).map(({ mountPoint }) => mountPoint)
}

/** @returns the file system of a path, and the path within that file system */
function originOf(path: string, mounts: readonly Mount[]): Omit<Mount, 'mountPoint'> | undefined {
  let nearest: Mount | undefined
  for (const mount of mounts) {
    // Of several mounts on one mount point the last one is visible.
    if (
      isAtOrBelow(path, mount.mountPoint) &&
      mount.mountPoint.length >= (nearest?.mountPoint.length ?? 0)
    )
      nearest = mount
  }
  if (!nearest) return undefined
  const below = path.slice(nearest.mountPoint === '/' ? 0 : nearest.mountPoint.length)
  const shows = `${nearest.shows === '/' ? '' : nearest.shows}${below}`
  return { device: nearest.device, shows: shows || '/' }
}

function allMounts(): Mount[] {
  try {
    const lines = nameOfBytes(readFileSync('/proc/self/mountinfo')).split('\n')
    return lines.flatMap((line) => {
      const [, , device, shows, mountPoint] = line.split(' ')
      if (!device || !shows || !mountPoint) return []
      return [{ device, shows: unescapeOctal(shows), mountPoint: unescapeOctal(mountPoint) }]
    })
  } catch {
    return []
  }
}

/** Decodes spaces, tabs, newlines and backslashes, which are written as three octal digits. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

/** Whether a path is a folder or below it. Both are absolute and normalised. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
