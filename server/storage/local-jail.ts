/**
 * A folder that nothing gets out of, open for the length of one verb. Everything a verb touches is
 * asked for by the name it really has, on the object that was opened.
 */
import { lstatSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { childPath, parentPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { errnoOf } from './errno.ts'
import { type Handle, O_PATH } from './handle.ts'
import { nodeOf } from './local-node.ts'
import { lookAt, openInside, type Place, placeInside } from './local-resolve.ts'
import { isPrivateName, PRIVATE_FOLDER } from './private-folder.ts'
import type { Admit, Node, Workplace } from './storage.ts'

export interface Guards {
  /** Files of the server's own, by their path on the disk. */
  secrets: ReadonlySet<string>
  admit: Admit | undefined
}

/** A folder that is being listed: where it was asked for, where it lies, and where on the disk. */
export interface OpenFolder extends Disposable {
  handle: Handle
  path: TreePath
  real: TreePath
  disk: string
}

export class Jail implements Disposable {
  readonly #handle: Handle
  /** The jail's own place on the disk. */
  readonly #top: string
  /** It is the served root itself, where the private folder stands. */
  readonly #isRoot: boolean
  readonly #guards: Guards

  private constructor(handle: Handle, isRoot: boolean, guards: Guards) {
    this.#handle = handle
    this.#top = handle.realPath()
    this.#isRoot = isRoot
    this.#guards = guards
  }

  /**
   * Opens a folder of the served root as a jail: `folders` are opened one inside the other, so that
   * no link in one leads out of the one before.
   *
   * @throws Fault forbidden for a folder inside the private one; system errors
   */
  static open(root: Handle, folders: readonly TreePath[], guards: Guards): Jail {
    let handle = root.duplicate()
    for (const folder of folders) {
      using outer = handle
      handle = openInside(outer, segmentsOf(folder))
    }
    const jail = new Jail(handle, handle.realPath() === root.realPath(), guards)
    const below = nameBelow(root.realPath(), jail.#top)
    if (!segmentsOf(below).some((name, depth) => isPrivateName(name, depth === 0))) return jail
    handle.close()
    throw serversOwn()
  }

  [Symbol.dispose](): void {
    this.#handle.close()
  }

  /** Opens what `path` leads to. @throws Fault forbidden; system errors */
  open(path: TreePath): Handle {
    this.#refusePrivate(path)
    const object = openInside(this.#handle, segmentsOf(path))
    try {
      this.#ask(object.realPath(), path)
      return object
    } catch (error) {
      object.close()
      throw error
    }
  }

  /** Opens a folder for listing. @throws Fault notDirectory, and as `open` */
  openFolder(path: TreePath): OpenFolder {
    const handle = this.open(path)
    if (!handle.stat().isDirectory()) {
      handle.close()
      throw new Fault('notDirectory', 'This is not a folder.')
    }
    const disk = handle.realPath()
    return {
      handle,
      path,
      disk,
      real: this.#realName(disk),
      [Symbol.dispose]: () => handle.close(),
    }
  }

  /**
   * The place a path names: its folder opened, and the last name as it stands. `followLast` goes on
   * through a link at the end.
   *
   * @throws as `open`
   */
  place(path: TreePath, followLast = false): Place {
    this.#refusePrivate(path)
    const place = placeInside(this.#handle, segmentsOf(path), followLast)
    try {
      this.#ask(`${place.parent.realPath()}/${place.name}`, path)
      return place
    } catch (error) {
      place[Symbol.dispose]()
      throw error
    }
  }

  /** What stands at a path; a link that leads nowhere stands for itself. @throws as `open` */
  node(path: TreePath): Node {
    try {
      using object = this.open(path)
      return this.describe(path, object)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
      using target = this.place(path, true)
      using link = this.place(path)
      const stats = lookAt(link)
      if (!stats?.isSymbolicLink() || lookAt(target)) throw error
      return nodeOf(path, stats, { isLink: true })
    }
  }

  /** The node of an object that `open` gave for `path`. */
  describe(path: TreePath, object: Handle): Node {
    const real = this.#realName(object.realPath())
    if (path === ROOT) return nodeOf(path, object.stat(), { real })
    using place = placeInside(this.#handle, segmentsOf(path))
    return nodeOf(path, object.stat(), { real, isLink: !!lookAt(place)?.isSymbolicLink() })
  }

  /** A child of a listed folder; undefined for what a listing leaves out. */
  child(folder: OpenFolder, name: string): Node | undefined {
    if (isPrivateName(name, this.#isRoot && folder.real === ROOT)) return undefined
    const stats = lstatSync(folder.handle.at(name), { throwIfNoEntry: false })
    if (!stats || this.#guards.secrets.has(`${folder.disk}/${name}`)) return undefined
    const path = childPath(folder.path, name)
    if (!stats.isSymbolicLink()) return nodeOf(path, stats, { real: childPath(folder.real, name) })
    try {
      return this.node(path)
    } catch {
      return undefined
    }
  }

  /** What `name` in a folder stands for, if a copy may take it along: links are followed. */
  copied(folder: Handle, name: string): Handle | undefined {
    const disk = `${folder.realPath()}/${name}`
    const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
    if (!stats || this.#guards.secrets.has(disk)) return undefined
    if (!stats.isSymbolicLink()) return folder.child(name, O_PATH)
    try {
      return this.open(this.#realName(disk))
    } catch {
      return undefined
    }
  }

  /**
   * A place whose name may go: the server's own files must not lie there or below, or they would turn
   * up under another name.
   *
   * @throws Fault forbidden, and as `place`
   */
  placeToLeave(path: TreePath): Place {
    const place = this.place(path)
    const disk = `${place.parent.realPath()}/${place.name}/`
    if (![...this.#guards.secrets].some((secret) => secret.startsWith(disk))) return place
    place[Symbol.dispose]()
    throw new Fault('forbidden', 'The server keeps files of its own in here.')
  }

  /** The jail for a program, which starts in `folder`. @throws Fault forbidden */
  workplace(folder: OpenFolder): Workplace {
    const secretFolders = [...this.#guards.secrets]
      .filter((secret) => secret.startsWith(`${this.#top}/`))
      .map((secret) => parentPath(this.#realName(secret)))
    if (secretFolders.includes(ROOT)) {
      throw new Fault('forbidden', 'The server keeps files of its own right in this folder.')
    }
    const own = this.#isRoot ? [childPath(ROOT, PRIVATE_FOLDER)] : []
    const top = this.#handle.duplicate()
    return {
      fd: top.fd,
      disk: this.#top,
      folder: folder.real,
      hidden: [...new Set([...own, ...secretFolders])],
      [Symbol.dispose]: () => top.close(),
    }
  }

  /** Real names are compared with what was asked: only where a link changed the name is there news. */
  #ask(disk: string, asked: TreePath): void {
    if (this.#guards.secrets.has(disk)) throw serversOwn()
    const real = this.#realName(disk)
    if (real === asked) return
    this.#refusePrivate(real)
    this.#guards.admit?.(real)
  }

  #refusePrivate(path: TreePath): void {
    const isPrivate = (name: string, depth: number) =>
      isPrivateName(name, this.#isRoot && depth === 0)
    if (segmentsOf(path).some(isPrivate)) throw serversOwn()
  }

  #realName(disk: string): TreePath {
    return nameBelow(this.#top, disk)
  }
}

function serversOwn(): Fault {
  return new Fault('forbidden', 'This place belongs to the server.')
}

export function nothingHere(): Fault {
  return new Fault('notFound', 'There is nothing here by this name.')
}

/**
 * The name of a place on the disk, seen from `top`. The kernel made the text, so it is clean; it
 * serves for comparing and for rules, and is never opened as it is.
 */
function nameBelow(top: string, disk: string): TreePath {
  return (disk.slice(top === '/' ? 0 : top.length) || '/') as TreePath
}
