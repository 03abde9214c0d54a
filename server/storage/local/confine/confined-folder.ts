/**
 * A folder that no path and no link can leave, open during one operation. Access is checked by the real name of each
 * opened object.
 */

import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf } from '#server/os/errno.ts'
import type { Node } from '#server/storage/node.ts'
import type { CommandFolder, PathCheck } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, nameOf, parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { hasReservedName } from '#wire/reserved-names.ts'
import type { Slot } from '../handles/atomic.ts'
import { reservedPath } from '../handles/faults.ts'
import { type Handle, identityAt } from '../handles/handle.ts'
import { belowRoot, nodeOf } from '../handles/node-of-stats.ts'
import {
  FOLDER_FLAGS,
  holdsObject,
  type OpenSlot,
  openInside,
  type PathResolver,
  statSlot,
} from '../handles/resolve.ts'
import { isAtOrBelow } from '../mounts/mounts.ts'
import type { OpenFolder } from '../read/folder-records.ts'
import { type ExactObject, type FoldsCase, openExactlyIfCaseSensitive } from './folds-case.ts'
import type { NameAliases } from './name-aliases.ts'
import type { ServerFiles } from './server-files.ts'

/** The checks that a confined folder applies to each opened object. */
export interface Guards {
  /** @returns the path of the served root on the disk, at most a moment old */
  rootPath: () => string
  serverFiles: ServerFiles
  folds: FoldsCase
  aliases: NameAliases
  checkPath: PathCheck | undefined
  /** Whether links in paths are followed. */
  resolver: PathResolver
}

/** One folder of a chain; its path is relative to the previous one. */
export interface InnerFolder {
  path: TreePath
  /** Whether its path must contain no link; otherwise opening fails. */
  isExact: boolean
}

export class ConfinedFolder implements Disposable {
  readonly #handle: Handle
  /** The handle of the served root belongs to the storage and is not closed here. */
  readonly #isRoot: boolean
  /** The path of this folder below the served root; undefined if a link may have been followed to it. */
  readonly #below: TreePath | undefined
  readonly #guards: Guards
  #cachedPath: string | undefined

  private constructor(
    handle: Handle,
    { isRoot, below }: { isRoot: boolean; below: TreePath | undefined },
    guards: Guards,
  ) {
    this.#handle = handle
    this.#isRoot = isRoot
    this.#below = below
    this.#guards = guards
  }

  /** The real path of this folder on the disk. */
  get #realPath(): string {
    this.#cachedPath ??= this.#handle.realPath()
    return this.#cachedPath
  }

  /**
   * Opens a folder below the served root as a confined folder. `folders` are opened one inside the other, so that no
   * link can leave any of them.
   * @throws Fault forbidden (a folder of the server), notFound (a link where there must be none); system errors
   */
  static open(root: Handle, folders: readonly InnerFolder[], guards: Guards): ConfinedFolder {
    if (folders.length === 0) return new ConfinedFolder(root, { isRoot: true, below: ROOT }, guards)
    let handle = root.duplicate()
    // The path below the root so far, joined from tree paths; undefined as soon as a link may have been followed.
    let exactPath: string | undefined = ''
    for (const { path, isExact } of folders) {
      using outer = handle
      const object = openExactlyIfCaseSensitive(outer, path, guards.folds)?.object
      handle = object ?? openInside(outer, segmentsOf(path))
      if (object) exactPath = exactPath === undefined ? undefined : exactPath + path
      else {
        exactPath = undefined
        if (!isExact || belowRoot(outer.realPath(), handle.realPath()) === path) continue
        handle.close()
        throw new Fault('notFound', 'This folder was replaced by a symbolic link.')
      }
    }
    const known = exactPath as TreePath | undefined
    const confined = new ConfinedFolder(handle, { isRoot: false, below: known }, guards)
    const below = known ?? belowRoot(root.realPath(), confined.#realPath)
    if (!hasReservedName(below)) return confined
    handle.close()
    throw reservedPath()
  }

  [Symbol.dispose](): void {
    if (!this.#isRoot) this.#handle.close()
  }

  /**
   * Opens the object at `path`, following links.
   * @throws Fault forbidden; system errors
   */
  open(path: TreePath): Handle {
    return this.#opened(path).object
  }

  /**
   * Opens the object at `path` and describes it.
   * @param exact the result of `#openExactly`; it is closed on errors
   * @throws as `open`
   */
  openNode(path: TreePath, exact = this.#openExactly(path)): { object: Handle; node: Node } {
    const { object, real, stats } = this.#opened(path, exact)
    try {
      return { object, node: this.#describe(path, stats, real) }
    } catch (error) {
      object.close()
      throw error
    }
  }

  /**
   * Opens the object at `path` if the path contains no link.
   * @returns undefined if it may contain a link
   * @throws as `open`; ENOENT then means a missing name, and never a link without a target
   */
  #openExactly(path: TreePath): ExactObject | undefined {
    this.#refuseReserved(path)
    return openExactlyIfCaseSensitive(this.#handle, path, this.#guards.folds)
  }

  #opened(
    path: TreePath,
    exact = this.#openExactly(path),
  ): { object: Handle; real: TreePath; stats: Stats } {
    const object = exact?.object ?? this.#guards.resolver.open(this.#handle, segmentsOf(path))
    try {
      const stats = exact?.stats ?? object.stat()
      if (exact) {
        this.#refuseOwn(object, stats, `${this.#diskPath()}${path}`)
        return { object, real: path, stats }
      }
      const disk = object.realPath()
      this.#refuseOwn(object, stats, disk)
      this.#check(disk, path, object, stats)
      return { object, real: this.#realName(disk), stats }
    } catch (error) {
      object.close()
      throw error
    }
  }

  /** @returns the real path of this folder, at most a moment old, for comparison with the server's own folders */
  #diskPath(): string {
    if (this.#below === undefined) return this.#realPath
    const root = this.#guards.rootPath()
    return this.#below === ROOT ? root : `${root === '/' ? '' : root}${this.#below}`
  }

  #refuseOwn(object: Handle, stats: Stats, disk: string): void {
    const [files, folder] = [this.#guards.serverFiles, dirname(disk)]
    if (files.is(object, stats) || files.isInside(folder)) throw reservedPath()
  }

  /**
   * Opens a folder for listing.
   * @throws Fault notDirectory, and as `open`
   */
  openFolder(path: TreePath): OpenFolder {
    const { object: handle, real, stats } = this.#opened(path)
    if (!stats.isDirectory()) {
      handle.close()
      throw new Fault('notDirectory', 'This is not a folder.')
    }
    return {
      handle,
      path,
      real,
      stats,
      foldsCase: this.#guards.folds.appliesTo(handle, stats),
      [Symbol.dispose]: () => handle.close(),
    }
  }

  nodeOfFolder({ path, stats, real }: OpenFolder): Node {
    return this.#describe(path, stats, real)
  }

  /**
   * Opens the parent folder of `path`, and returns it with the last name, which need not exist. With `followLast`, if
   * the last name is a link, the slot is that of its target.
   * @throws as `open`
   */
  slot(path: TreePath, followLast = false): OpenSlot {
    return this.#slotWithStats(path, followLast).slot
  }

  /** As `slot`, with the stats of the name, or undefined if it is free. */
  #slotWithStats(
    path: TreePath,
    followLast: boolean,
  ): { slot: OpenSlot; stats: Stats | undefined } {
    this.#refuseReserved(path)
    const exact = followLast ? undefined : this.#exactSlot(path)
    const slot = exact ?? this.#guards.resolver.slot(this.#handle, segmentsOf(path), followLast)
    try {
      const folder = slot.pathWhenChecked
      const { serverFiles: files } = this.#guards
      const stats = statSlot(slot)
      if (files.holds(slot.parent, slot.name, stats) || files.isInside(folder)) throw reservedPath()
      if (!exact)
        this.#check(folder === '/' ? `/${slot.name}` : `${folder}/${slot.name}`, path, slot.parent)
      slot.statsWhenChecked = stats
      return { slot, stats }
    } catch (error) {
      slot[Symbol.dispose]()
      throw error
    }
  }

  /**
   * Opens the slot of a path if neither a link nor a second name leads to its folder: the real path of the slot is then
   * the path itself.
   * @returns undefined if there may be a link
   * @throws as `open`
   */
  #exactSlot(path: TreePath): OpenSlot | undefined {
    if (path === ROOT) return undefined
    const above = parentPath(path)
    const opened = above === ROOT ? this.#itself() : this.#openExactly(above)
    if (!opened) return undefined
    const { object: parent, stats } = opened
    if (!stats.isDirectory()) {
      parent.close()
      return undefined
    }
    const disk = this.#diskPath()
    const pathWhenChecked = above === ROOT ? disk : `${disk === '/' ? '' : disk}${above}`
    const close = () => parent.close()
    return { parent, name: nameOf(path), pathWhenChecked, [Symbol.dispose]: close }
  }

  /** As `#openExactly`, for this folder. */
  #itself(): ExactObject | undefined {
    const stats = this.#handle.stat()
    if (!this.#guards.folds.isKnownCaseSensitive(this.#handle, stats)) return undefined
    return { object: this.#handle.duplicate(), stats }
  }

  /**
   * @returns the node at a path; for a link without a target, and for a link to itself, the node of the link itself
   * @throws as `open`
   */
  node(path: TreePath): Node {
    const exact = this.#openForNode(path)
    try {
      const { object, node } = this.openNode(path, exact)
      object.close()
      return node
    } catch (error) {
      const errno = errnoOf(error)
      if (errno !== 'ENOENT' && errno !== 'ELOOP') throw error
      using link = this.slot(path)
      const stats = statSlot(link)
      if (!stats?.isSymbolicLink()) throw error
      if (errno === 'ENOENT' && holdsObject(() => this.slot(path, true))) throw error
      return nodeOf(path, stats, { isLink: true })
    }
  }

  /** As `node`; undefined if nothing has this name. Then no error is made, which would take most of the time. */
  find(path: TreePath): Node | undefined {
    if (path !== ROOT) {
      const { slot, stats } = this.#slotWithStats(path, false)
      slot[Symbol.dispose]()
      if (!stats) return undefined
    }
    return this.node(path)
  }

  /** As `#openExactly`. A name of the server is refused also if no file has it. */
  #openForNode(path: TreePath): ExactObject | undefined {
    try {
      return this.#openExactly(path)
    } catch (error) {
      const { serverFiles } = this.#guards
      if (serverFiles.mayReserve(`${this.#diskPath()}${path}`)) this.slot(path)[Symbol.dispose]()
      throw error
    }
  }

  #describe(path: TreePath, stats: Stats, real: TreePath): Node {
    // If the path equals the real path, no link was followed.
    if (path === real || path === ROOT) return nodeOf(path, stats, { real })
    using slot = this.#guards.resolver.slot(this.#handle, segmentsOf(path))
    return nodeOf(path, stats, { real, isLink: !!statSlot(slot)?.isSymbolicLink() })
  }

  /**
   * Opens the slot of a file to be written: that of the target if the last name is a link. A link without a target, and a link
   * to itself, is an entry of its own, which the file replaces.
   * @throws as `slot`
   */
  slotToWrite(path: TreePath): OpenSlot {
    const { slot: named, stats } = this.#slotWithStats(path, false)
    if (!stats?.isSymbolicLink()) return named
    let target: OpenSlot | undefined
    try {
      target = this.#takenTarget(path)
    } catch (error) {
      named[Symbol.dispose]()
      throw error
    }
    if (target) named[Symbol.dispose]()
    return target ?? named
  }

  /** The slot of a link's target; undefined if there is none, or it is a link to itself. */
  #takenTarget(path: TreePath): OpenSlot | undefined {
    try {
      const { slot, stats } = this.#slotWithStats(path, true)
      if (stats) return slot
      slot[Symbol.dispose]()
    } catch (error) {
      if (errnoOf(error) !== 'ELOOP') throw error
    }
    return undefined
  }

  /**
   * Opens a slot whose object is to be removed or renamed. No file of the server may be at it or below it, because that
   * file would get another path.
   * @throws Fault forbidden, and as `slot`
   */
  slotToVacate(path: TreePath): OpenSlot {
    const slot = this.slot(path)
    const identity = identityAt(slot.parent.at(slot.name))
    if (!identity || !this.#guards.serverFiles.isAbove(identity)) return slot
    slot[Symbol.dispose]()
    throw new Fault('forbidden', 'This folder contains files of the server.')
  }

  /** @returns the path of the slot with links in its folders resolved */
  realOf({ parent, name }: Slot): TreePath {
    return childPath(this.#realName(parent.realPath()), name)
  }

  /** @returns the path of an open object */
  pathOf(object: Handle): TreePath {
    return this.#realName(object.realPath())
  }

  /** @returns the path of a name in an open folder, which need not be below this one */
  nameOf({ parent, name }: Slot): TreePath {
    return this.#realName(`${parent.realPath()}/${name}`.replace(/^\/+/, '/'))
  }

  /**
   * Opens this folder for a program that starts in `folder`.
   *
   * @param silent mount points below the served root that must not be touched; the program cannot enter them
   * @throws Fault forbidden
   */
  openForCommand(folder: OpenFolder, silent: readonly TreePath[]): CommandFolder {
    const { serverFiles, rootPath } = this.#guards
    const { files, folders } = serverFiles.below(this.#realPath, silent)
    const served = rootPath() === '/' ? '' : rootPath()
    const silentBelow = silent
      .map((path) => `${served}${path}`)
      .filter((disk) => isAtOrBelow(disk, this.#realPath))
    const hidden = [...files.map(dirname), ...folders].map((path) => this.#realName(path))
    if (hidden.includes(ROOT)) {
      throw new Fault('forbidden', 'This folder contains files of the server.')
    }
    const duplicate = openForJail(this.#handle)
    return {
      fd: duplicate.fd,
      disk: this.#realPath,
      folder: folder.real,
      hidden: [...new Set(hidden)],
      silent: silentBelow.map((disk) => this.#realName(disk)),
      [Symbol.dispose]: () => duplicate.close(),
    }
  }

  /** Checks the real name if it differs from the requested one, because of a link or of an alias. */
  #check(
    disk: string,
    requested: TreePath,
    object: Handle,
    stats: Pick<Stats, 'dev'> = object,
  ): void {
    const real = this.#realName(disk)
    const { folds, aliases } = this.#guards
    const foldsHere = folds.appliesTo(object, stats)
    const paths = foldsHere ? new Set([requested, real]) : []
    for (const path of paths) aliases.requireListed(this.#handle, path)
    const foldsCase = foldsHere && !folds.atRoot
    if (real === requested && !foldsCase) return
    this.#refuseReserved(real)
    this.#guards.checkPath?.(real, foldsCase)
  }

  #refuseReserved(path: TreePath): void {
    if (hasReservedName(path)) throw reservedPath()
  }

  #realName(disk: string): TreePath {
    return belowRoot(this.#realPath, disk)
  }
}

/** The jail of a program takes a folder over by its descriptor. */
function openForJail(folder: Handle): Handle {
  const duplicate = folder.duplicate()
  return duplicate.fd >= 0 ? duplicate : folder.reopen(FOLDER_FLAGS)
}
