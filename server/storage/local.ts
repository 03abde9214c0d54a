/** The storage of a folder on a disk: the nine verbs, each on handles beneath a jail. */
import { lstatSync, mkdirSync, promises, readdirSync, renameSync, statfsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Usage } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { finish, publish, type StagedPlace, stage, syncFolder, takeName } from './atomic.ts'
import { errnoOf, faults } from './errno.ts'
import { type Handle, openFolder } from './handle.ts'
import { copyTree } from './local-copy.ts'
import { Jail, nothingHere } from './local-jail.ts'
import { nodeOf } from './local-node.ts'
import { merge, refuseTaken, rename } from './local-rename.ts'
import { lookAt, type Place, READ_FLAGS } from './local-resolve.ts'
import { streamOf } from './local-stream.ts'
import { watchFolder } from './local-watch.ts'
import { PRIVATE_FOLDER, PrivateFolder } from './private-folder.ts'
import type {
  Admit,
  ByteRange,
  Capabilities,
  Node,
  Opened,
  Source,
  Storage,
  Workplace,
  WriteOptions,
} from './storage.ts'

/** Entries of a folder read between two turns of the event loop. */
const SLICE = 512

export interface LocalOptions {
  /** Permission bits of new files and folders (decisions 14). */
  fileMode: number
  folderMode: number
  /** Files of the server's own that lie inside the tree, by their path on the disk: never shown. */
  secretFiles: string[]
}

/** What every view of one served folder shares. */
interface Served {
  root: Handle
  private: PrivateFolder | undefined
  options: LocalOptions
  secrets: ReadonlySet<string>
  foldsCase: boolean
}

export class LocalStorage implements Storage {
  readonly can: Capabilities
  readonly #served: Served
  /** The jails from the served root inwards: each is opened inside the one before. */
  readonly #folders: readonly TreePath[]
  readonly #admit: Admit | undefined

  private constructor(served: Served, folders: readonly TreePath[], admit?: Admit) {
    this.#served = served
    this.#folders = folders
    this.#admit = admit
    this.can = {
      links: true,
      write: !!served.private,
      foldsCase: served.foldsCase,
      workplace: (path) => this.#workshop(path),
      watch: (path, changed) => this.#watch(path, changed),
    }
  }

  /**
   * Serves the folder at `path` on the disk.
   *
   * @throws Fault notFound, notDirectory, forbidden (unreadable), conflict (private folder)
   */
  static open(path: string, options: LocalOptions): Promise<LocalStorage> {
    return faults(() => {
      const root = openFolder(path)
      readdirSync(root.disk)
      const secrets = new Set(options.secretFiles)
      const own = PrivateFolder.open(root)
      const foldsCase = !!lstatSync(root.at(PRIVATE_FOLDER.toUpperCase()), {
        throwIfNoEntry: false,
      })
      return new LocalStorage({ root, private: own, options, secrets, foldsCase }, [])
    })
  }

  /** A folder on the disk, on the tree's file system, for uploads that take their time. */
  get uploadsFolder(): string {
    return this.#workplace().uploads.disk
  }

  within(folder: TreePath, admit?: Admit): Storage {
    const inwards = folder === ROOT ? this.#folders : [...this.#folders, folder]
    return new LocalStorage(this.#served, inwards, admit ?? this.#admit)
  }

  close(): void {
    this.#served.private?.close()
    this.#served.root.close()
  }

  stat(path: TreePath): Promise<Node> {
    return faults(() => {
      using jail = this.#jail()
      return jail.node(path)
    })
  }

  async *list(path: TreePath): AsyncIterable<Node> {
    using jail = await faults(() => this.#jail())
    using folder = await faults(() => jail.openFolder(path))
    const names = await faults(() => readdirSync(folder.handle.disk))
    for (const [index, name] of names.entries()) {
      if (index % SLICE === SLICE - 1) await new Promise(setImmediate)
      const node = await faults(() => jail.child(folder, name))
      if (node) yield node
    }
  }

  read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    return faults(() => {
      using jail = this.#jail()
      using object = jail.open(path)
      const node = jail.describe(path, object)
      if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
      if (node.kind !== 'file') throw new Fault('unsupported', 'This is not a regular file.')
      const wanted = cut(range?.(node), node.sizeBytes)
      return { node, range: wanted, bytes: streamOf(object.reopen(READ_FLAGS), node, wanted) }
    })
  }

  write(path: TreePath, from: Source, how: WriteOptions): Promise<Node> {
    return faults(async () => {
      if ('ownedFile' in from) {
        using parent = openFolder(dirname(from.ownedFile))
        return await this.#publish({ parent, name: basename(from.ownedFile) }, path, how)
      }
      const staged = this.#workplace().place()
      try {
        await stage(from, staged)
        return await this.#publish(staged, path, how)
      } finally {
        await promises.rm(staged.parent.at(staged.name), { force: true })
      }
    })
  }

  mkdir(path: TreePath): Promise<void> {
    return faults(() => {
      this.#workplace()
      using jail = this.#jail()
      for (const folder of trailOf(path)) {
        using place = jail.place(folder, true)
        this.#makeFolder(place)
      }
    })
  }

  remove(path: TreePath): Promise<void> {
    return faults(async () => {
      const grave = this.#workplace().place()
      using jail = this.#jail()
      using place = jail.placeToLeave(path)
      if (!lookAt(place)) throw nothingHere()
      try {
        renameSync(place.parent.at(place.name), grave.parent.at(grave.name))
      } catch (error) {
        if (errnoOf(error) !== 'EXDEV') throw error
        await promises.rm(place.parent.at(place.name), { recursive: true })
        return
      }
      syncFolder(place.parent)
      await this.#bury(grave, place)
    })
  }

  move(from: TreePath, to: TreePath, how: { overwrite: boolean }): Promise<void> {
    return faults(async () => {
      this.#workplace()
      using jail = this.#jail()
      using source = jail.placeToLeave(from)
      using target = jail.place(to)
      if (!lookAt(source)) throw nothingHere()
      try {
        rename(source, target, how.overwrite)
      } catch (error) {
        if (errnoOf(error) !== 'EXDEV') throw error
        await this.copy(from, to, how)
        await this.remove(from)
        return
      }
      syncFolder(target.parent)
      syncFolder(source.parent)
    })
  }

  copy(from: TreePath, to: TreePath, how: { overwrite: boolean }): Promise<void> {
    return faults(async () => {
      const staged = this.#workplace().place()
      using jail = this.#jail()
      using source = jail.open(from)
      using target = jail.place(to)
      refuseTaken(source.stat(), lookAt(target), how.overwrite)
      try {
        await copyTree(source, staged, (folder, name) => jail.copied(folder, name))
        if (how.overwrite && lookAt(target)?.isDirectory()) merge(staged, target)
        else await publish(staged, target, how.overwrite)
      } finally {
        await promises.rm(staged.parent.at(staged.name), { recursive: true, force: true })
      }
    })
  }

  usage(path: TreePath): Promise<Usage> {
    return faults(() => {
      using jail = this.#jail()
      using object = jail.open(path)
      const { bsize, blocks, bfree } = statfsSync(object.disk)
      return { total: blocks * bsize, used: (blocks - bfree) * bsize }
    })
  }

  #workshop(path: TreePath): Promise<Workplace> {
    return faults(() => {
      using jail = this.#jail()
      using folder = jail.openFolder(path)
      return jail.workplace(folder)
    })
  }

  #watch(path: TreePath, changed: () => void): Promise<Disposable> {
    return faults(() => {
      using jail = this.#jail()
      using folder = jail.openFolder(path)
      return watchFolder(folder.handle.disk, changed)
    })
  }

  async #publish(staged: StagedPlace, path: TreePath, how: WriteOptions): Promise<Node> {
    using jail = this.#jail()
    using place = jail.place(path, true)
    const existing = lookAt(place)
    how.accept?.(existing && nodeOf(path, existing))
    if (existing?.isDirectory()) throw new Fault('isDirectory', 'A folder has this name.')
    if (existing && !how.overwrite) throw new Fault('conflict', 'The name is already taken.')
    const mode = existing ? existing.mode & 0o7777 : this.#served.options.fileMode
    finish(staged, { mode, modifiedMs: how.modifiedMs, owner: existing })
    await publish(staged, place, how.overwrite)
    return nodeOf(path, lstatSync(place.parent.at(place.name)))
  }

  #workplace(): PrivateFolder {
    if (this.#served.private) return this.#served.private
    throw new Fault('readOnly', 'This folder can only be read.')
  }

  #jail(): Jail {
    const { root, secrets } = this.#served
    return Jail.open(root, this.#folders, { secrets, admit: this.#admit })
  }

  #makeFolder(place: Place): void {
    try {
      mkdirSync(place.parent.at(place.name), this.#served.options.folderMode)
      syncFolder(place.parent)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
      if (!lookAt(place)?.isDirectory()) throw new Fault('notDirectory', 'A file has this name.')
    }
  }

  /** The name is gone; now what it held. If that cannot be, the name comes back with the rest. */
  async #bury(grave: { parent: Handle; name: string }, place: Place): Promise<void> {
    try {
      await promises.rm(grave.parent.at(grave.name), { recursive: true })
    } catch (error) {
      takeName(grave, place)
      throw error
    }
  }
}

/** A range as far as the file goes. */
function cut(range: ByteRange | undefined, sizeBytes: number): ByteRange | undefined {
  return range && { first: range.first, last: Math.min(range.last, sizeBytes - 1) }
}

/** `/a`, `/a/b`, `/a/b/c` for `/a/b/c`. */
function trailOf(path: TreePath): TreePath[] {
  const trail: TreePath[] = []
  for (const name of segmentsOf(path)) trail.push(childPath(trail.at(-1) ?? ROOT, name))
  return trail
}
