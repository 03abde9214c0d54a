/** The storage of a folder on a disk: each verb on handles beneath a jail. */
import { mkdirSync, statfsSync } from 'node:fs'
import { inSlices } from '#server/slices.ts'
import type { Usage } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { syncFolder } from './atomic.ts'
import { ConfinedFolder, type InnerFolder } from './confined-folder.ts'
import { DiskThreads } from './disk-threads.ts'
import { errnoOf, faults } from './errno.ts'
import { startsOf, wantedOf } from './folder-records.ts'
import { FoldsCase } from './folds-case.ts'
import { type Handle, openFolder } from './handle.ts'
import { cachedBytes } from './libc-file.ts'
import { copyInside } from './local-copy.ts'
import { Mover } from './local-move.ts'
import { removeAt } from './local-remove.ts'
import { READ_FLAGS, type Slot, statSlot } from './local-resolve.ts'
import { streamOf } from './local-stream.ts'
import { watchFolder } from './local-watch.ts'
import { Writer } from './local-write.ts'
import { PRIVATE_FOLDER } from './private-name.ts'
import { type OwnPaths, ServerFiles } from './server-files.ts'
import type {
  ByteRange,
  Capabilities,
  CommandFolder,
  Inner,
  Moved,
  Node,
  Opened,
  PathCheck,
  Source,
  Start,
  Storage,
  TransferOptions,
  WriteOptions,
} from './storage.ts'
import { Volumes } from './volumes.ts'

export interface LocalOptions {
  /** Permission bits of new files and folders (decisions 14). */
  fileMode: number
  folderMode: number
  /** The server's own files and folders, by their paths on the disk: nobody reaches them. */
  own: OwnPaths
}

/** What every view of one served folder shares. */
interface Served {
  root: Handle
  volumes: Volumes
  options: LocalOptions
  own: ServerFiles
  folds: FoldsCase
  threads: DiskThreads
  mover: Mover
  writer: Writer
}

export class LocalStorage implements Storage {
  readonly can: Capabilities
  readonly #served: Served
  /** The jails from the served root inwards: each is opened inside the one before. */
  readonly #folders: readonly InnerFolder[]
  readonly #checkPath: PathCheck | undefined

  private constructor(served: Served, folders: readonly InnerFolder[], checkPath?: PathCheck) {
    this.#served = served
    this.#folders = folders
    this.#checkPath = checkPath
    this.can = {
      links: true,
      write: !!served.volumes.uploads,
      foldsCase: served.folds.atRoot,
      openForCommand: (path) => this.#staging(path),
      watch: (path, changed) => this.#watch(path, changed),
    }
  }

  /**
   * Serves the folder at `path` on the disk.
   *
   * @throws Fault notFound, notDirectory, forbidden (unreadable), conflict (private folder)
   */
  static open(path: string, options: LocalOptions): Promise<LocalStorage> {
    return faults(async () => {
      const root = openFolder(path)
      root.names()
      const volumes = await Volumes.open(root)
      const { files, folders } = options.own
      const own = new ServerFiles({ files, folders: [...folders, privateFolderOf(root)] })
      const mover = new Mover(volumes, own)
      const writer = new Writer(volumes, options.fileMode)
      const folds = new FoldsCase(root)
      const threads = new DiskThreads()
      return new LocalStorage({ root, volumes, options, own, folds, threads, mover, writer }, [])
    })
  }

  /** A folder on the disk, on the tree's file system, for uploads that take their time. */
  get uploadsFolder(): string {
    const { uploads } = this.#served.volumes
    if (uploads) return uploads.disk
    throw readOnly()
  }

  within(path: TreePath, { checkPath = this.#checkPath, exactly = false }: Inner = {}): Storage {
    const inwards = path === ROOT ? this.#folders : [...this.#folders, { path, exactly }]
    return new LocalStorage(this.#served, inwards, checkPath)
  }

  close(): void {
    this.#served.threads.close()
    this.#served.volumes.close()
    this.#served.root.close()
  }

  stat(path: TreePath): Promise<Node> {
    return faults(() => {
      using confined = this.#confined()
      return confined.node(path)
    })
  }

  list(path: TreePath): Promise<Node[]> {
    return faults(async () => {
      using confined = this.#confined()
      using folder = confined.openFolder(path)
      const found = await this.#served.threads.list(folder.handle)
      return await inSlices(confined.children(folder, found))
    })
  }

  read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    return faults(() => {
      using confined = this.#confined()
      const { object, node } = confined.openNode(path)
      using _ = object
      if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
      if (node.kind !== 'file') throw new Fault('unsupported', 'This is not a regular file.')
      const wanted = cut(range?.(node), node.sizeBytes)
      const file = object.reopen(READ_FLAGS)
      const span = wanted ?? { first: 0, last: node.sizeBytes - 1 }
      return {
        node,
        range: wanted,
        disk: file.disk,
        bytes: streamOf(file, node, wanted),
        cached: () => cachedBytes(file.fd, span),
      }
    })
  }

  starts(path: TreePath, files: readonly Node[], bytesMax: number): Promise<(Start | undefined)[]> {
    return faults(async () => {
      using confined = this.#confined()
      using folder = confined.openFolder(path)
      const wanted = wantedOf(files, bytesMax)
      return startsOf(await this.#served.threads.starts(folder.handle, wanted), wanted)
    })
  }

  write(path: TreePath, from: Source, options: WriteOptions): Promise<Node> {
    return faults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      using slot = confined.slot(path, true)
      return await this.#served.writer.write(slot, path, from, options)
    })
  }

  mkdir(path: TreePath): Promise<void> {
    return faults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      for (const folder of ancestorsOf(path)) {
        using slot = confined.slot(folder, true)
        await this.#makeFolder(slot)
      }
    })
  }

  remove(path: TreePath): Promise<TreePath> {
    return faults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      using slot = confined.slotToLeave(path)
      const real = confined.realOf(slot)
      await removeAt(slot, this.#served.volumes)
      return real
    })
  }

  move(from: TreePath, to: TreePath, options: TransferOptions): Promise<Moved> {
    return faults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      using source = confined.slotToLeave(from)
      using target = confined.slot(to)
      const moved = { from: confined.realOf(source), to: confined.realOf(target) }
      await this.#served.mover.move(source, target, options)
      return moved
    })
  }

  copy(from: TreePath, to: TreePath, options: TransferOptions): Promise<void> {
    return faults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      await copyInside(this.#served, confined, { from, to, options })
    })
  }

  usage(path: TreePath): Promise<Usage> {
    return faults(() => {
      using confined = this.#confined()
      using object = confined.open(path)
      const { bsize, blocks, bfree } = statfsSync(object.disk)
      return { total: blocks * bsize, used: (blocks - bfree) * bsize }
    })
  }

  #staging(path: TreePath): Promise<CommandFolder> {
    return faults(() => {
      using confined = this.#confined()
      using folder = confined.openFolder(path)
      return confined.openForCommand(folder)
    })
  }

  #watch(path: TreePath, changed: () => void): Promise<Disposable> {
    return faults(() => {
      using confined = this.#confined()
      using folder = confined.openFolder(path)
      return watchFolder(folder.handle.disk, changed)
    })
  }

  /** @throws Fault readOnly */
  #mustWrite(): void {
    if (!this.#served.volumes.uploads) throw readOnly()
  }

  #confined(): ConfinedFolder {
    const { root, own, folds } = this.#served
    return ConfinedFolder.open(root, this.#folders, { own, folds, checkPath: this.#checkPath })
  }

  async #makeFolder(slot: Slot): Promise<void> {
    try {
      this.#served.volumes.mustBeVisible(slot.parent, slot.where)
      mkdirSync(slot.parent.at(slot.name), this.#served.options.folderMode)
      await syncFolder(slot.parent)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
      if (!statSlot(slot)?.isDirectory()) throw new Fault('notDirectory', 'A file has this name.')
    }
  }
}

function privateFolderOf(root: Handle): string {
  const top = root.realPath()
  return top === '/' ? `/${PRIVATE_FOLDER}` : `${top}/${PRIVATE_FOLDER}`
}

function readOnly(): Fault {
  return new Fault('readOnly', 'This folder can only be read.')
}

/** A range as far as the file goes. */
function cut(range: ByteRange | undefined, sizeBytes: number): ByteRange | undefined {
  return range && { first: range.first, last: Math.min(range.last, sizeBytes - 1) }
}

/** `/a`, `/a/b`, `/a/b/c` for `/a/b/c`. */
function ancestorsOf(path: TreePath): TreePath[] {
  const ancestors: TreePath[] = []
  for (const name of segmentsOf(path)) ancestors.push(childPath(ancestors.at(-1) ?? ROOT, name))
  return ancestors
}
