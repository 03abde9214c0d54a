/**
 * Where something is reached a second time, by a bind mount of it or of something in it: the kernel says of each
 * mount which part of which file system it shows (proc_pid_mountinfo(5)).
 */
import { readFileSync } from 'node:fs'
import { nameOfBytes } from '#wire/names.ts'

interface Mount {
  device: string
  /** What it shows, as a path in its own file system. */
  shows: string
  /** Where. */
  at: string
}

/**
 * The mount points where a path, or something below it, is seen once more.
 *
 * @param paths absolute, links resolved
 */
export function mountedAgain(paths: readonly string[]): string[] {
  const mounts = allMounts()
  const own = paths.flatMap((path) => originOf(path, mounts) ?? [])
  const isOwn = ({ device, shows }: Mount) =>
    own.some((part) => part.device === device && isAtOrBelow(shows, part.shows))
  return mounts.filter(isOwn).map(({ at }) => at)
}

/** Which part of which file system a path is. */
function originOf(path: string, mounts: readonly Mount[]): Omit<Mount, 'at'> | undefined {
  let nearest: Mount | undefined
  for (const mount of mounts) {
    // Of several at one place the last one is seen.
    if (isAtOrBelow(path, mount.at) && mount.at.length >= (nearest?.at.length ?? 0)) nearest = mount
  }
  if (!nearest) return undefined
  const below = path.slice(nearest.at === '/' ? 0 : nearest.at.length)
  const shows = `${nearest.shows === '/' ? '' : nearest.shows}${below}`
  return { device: nearest.device, shows: shows || '/' }
}

function allMounts(): Mount[] {
  try {
    const lines = nameOfBytes(readFileSync('/proc/self/mountinfo')).split('\n')
    return lines.flatMap((line) => {
      const [, , device, shows, at] = line.split(' ')
      if (!device || !shows || !at) return []
      return [{ device, shows: unescaped(shows), at: unescaped(at) }]
    })
  } catch {
    return []
  }
}

/** Blanks, tabs, newlines and backslashes are written as three octal digits. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

/** Whether a path is a folder, or leads into it. Both are absolute and clean. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
