/**
 * The mounts below the served root, by the kernel's table. A path that leads into one is found without touching the mount,
 * because a mount that does not answer stops the thread that touches it.
 */
import { constants, readlinkSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { nameOfBytes } from '#wire/names.ts'
import { parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import type { Handle } from '../handles/handle.ts'
import { belowRoot } from '../handles/node-of-stats.ts'
import { allMounts, isAtOrBelow } from './mounts.ts'

/** How long the table is used before it is read again. */
const FRESH_MS = 1000
/** As in `resolve.ts`. */
const LINKS_MAX = 40
/** Errors of openat2 after which only a walk says whether the path leads into a mount. */
const UNDECIDED = ['EXDEV', 'ENOSYS', 'EPERM']

export interface MountBelow {
  /** `major:minor` of the file system. */
  device: string
  /** The mount point, as a path below the root. */
  path: TreePath
}

export class MountsBelow {
  readonly #root: Handle
  #mounts: readonly MountBelow[] = []
  #untilMs = 0

  /** @param root closed by the caller */
  constructor(root: Handle) {
    this.#root = root
  }

  /** All mounts below the root, at most a moment old. */
  get all(): readonly MountBelow[] {
    if (Date.now() >= this.#untilMs) this.#read()
    return this.#mounts
  }

  /** @returns the mount that a path without links leads into; the innermost one */
  holding(path: TreePath): MountBelow | undefined {
    let holding: MountBelow | undefined
    for (const mount of this.all) {
      if (isAtOrBelow(path, mount.path) && mount.path.length >= (holding?.path.length ?? 0))
        holding = mount
    }
    return holding
  }

  /** @returns the mounts below a folder, whose path contains no link */
  below(folder: TreePath): readonly MountBelow[] {
    return this.all.filter(({ path }) => path !== folder && isAtOrBelow(path, folder))
  }

  /** @returns the names of the mount points in a folder, whose path contains no link */
  namesIn(folder: TreePath): string[] {
    return this.all
      .filter(({ path }) => parentPath(path) === folder)
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
  }

  /** As `namesIn`, for an open folder. */
  namesInOpen(folder: Handle): string[] {
    if (this.all.length === 0) return []
    return this.namesIn(belowRoot(this.#root.realPath(), folder.realPath()))
  }

  /**
   * Follows links as the kernel does, but enters no mount.
   *
   * @returns the mount that a path leads into; undefined if it stays on the mount of the root, or does not exist
   */
  crossedBy(path: TreePath): MountBelow | undefined {
    if (this.all.length === 0) return undefined
    const holding = this.holding(path)
    if (holding || path === ROOT) return holding
    try {
      this.#root.openBelow(path.slice(1), O_PATH, 'links').close()
      return undefined
    } catch (error) {
      // Other errors mean that the path ends on the way to any mount.
      return UNDECIDED.includes(errnoOf(error) ?? '') ? this.#walk(path) : undefined
    }
  }

  /** Follows one name after the other. Each is below folders of the root's own mount that are no links. */
  #walk(path: TreePath): MountBelow | undefined {
    const pending = [...segmentsOf(path)]
    let current: TreePath = ROOT
    let links = 0
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === '' || name === '.') continue
      if (name === '..') {
        current = parentPath(current)
        continue
      }
      const next = `${current === ROOT ? '' : current}/${name}` as TreePath
      const mount = this.holding(next) ?? this.#mountAt(next)
      if (mount) return mount
      const target = this.#targetOf(next)
      if (target === undefined) {
        current = next
        continue
      }
      links += 1
      if (links > LINKS_MAX) return undefined
      const isAbsolute = target.startsWith('/')
      const rootPath = this.#root.realPath()
      // It leads outside, which is refused.
      if (isAbsolute && !isAtOrBelow(target, rootPath)) return undefined
      pending.unshift(...(isAbsolute ? belowRoot(rootPath, target) : target).split('/'))
      if (isAbsolute) current = ROOT
    }
    return undefined
  }

  /** @returns the mount at a path whose name has another spelling in the table */
  #mountAt(path: TreePath): MountBelow | undefined {
    try {
      this.#root.openBelow(path.slice(1), O_PATH | constants.O_NOFOLLOW, 'links').close()
      return undefined
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') return undefined
      const folded = path.toLowerCase()
      const mount = this.all.find((mount) => mount.path.toLowerCase() === folded)
      return mount ?? { device: path, path }
    }
  }

  /** @returns the target of a link; undefined if the path is none */
  #targetOf(path: TreePath): string | undefined {
    try {
      return nameOfBytes(readlinkSync(this.#root.at(path.slice(1)), { encoding: 'buffer' }))
    } catch {
      return undefined
    }
  }

  #read(): void {
    const rootPath = this.#root.realPath()
    const isBelow = (path: string) => path !== rootPath && isAtOrBelow(path, rootPath)
    this.#mounts = allMounts()
      .filter(({ mountPoint }) => isBelow(mountPoint))
      .map(({ device, mountPoint }) => ({ device, path: belowRoot(rootPath, mountPoint) }))
    this.#untilMs = Date.now() + FRESH_MS
  }
}
