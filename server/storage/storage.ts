/**
 * Bytes and names: what a storage must do. The comments are the contract; `test/contract/storage.ts`
 * is its proof, run by every storage.
 */
import type { Usage } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { IndexedSearch } from './names.ts'
import type { ByteRange, Node, Opened, Source, Start } from './node.ts'
import type { ChangeOptions, Mark, TrashId } from './step.ts'

export interface WriteOptions extends ChangeOptions {
  /** False refuses with `conflict` when the name is taken; true replaces a file, never a folder. */
  overwrite: boolean
  /** The client's modification time; now when absent. */
  modifiedMs?: number | undefined
  /**
   * Called with what stands under the name at the moment of publication, after the new bytes are
   * safe and before they take its place. Throwing leaves the old file as it was.
   */
  accept?: ((existing: Node | undefined) => void) | undefined
}

export interface TransferOptions extends ChangeOptions {
  /** False refuses a taken name with `conflict`; true replaces a file and merges a folder. */
  overwrite: boolean
  /** Called with whether the name is taken, at the moment of the change. Throwing refuses it. */
  accept?: ((taken: boolean) => void) | undefined
  /** What is copied stays when the verb stops half-way, and a later call goes on with it. */
  resumable?: Resumable | undefined
}

/** A copy that may stop and go on. Its caller removes with `removeCopy` what is not gone on with. */
export interface Resumable {
  /** Names what is copied so far, among all copies that are unfinished. */
  name: string
  /** Called before each file with its path, links resolved, and its size. Throwing stops the copy. */
  next(path: TreePath, sizeBytes: number): void
  /** Called with the bytes that were copied, or were copied already. Throwing stops the copy. */
  copied(bytes: number): void
  /** A file is whole. */
  done(): void
  /** A link, a pipe, a socket or a device is no part of the copy. It may be told of more than once. */
  leftOut?(path: TreePath): void
}

export interface RemoveOptions extends ChangeOptions {
  /** A folder goes only while it is empty. */
  onlyEmpty?: boolean
}

/** Where a thing was and where it is, links resolved. */
export interface Moved {
  from: TreePath
  to: TreePath
}

/**
 * Says whether a path may be touched, by its name after links are resolved; `foldsCase` where names
 * that differ only by case are one name, though they are not at the root. Throws to refuse.
 */
export type PathCheck = (real: TreePath, foldsCase: boolean) => void

/** A folder on a disk in which a program can be started, open until it is disposed of. */
export interface CommandFolder extends Disposable {
  /** A descriptor of the tree's top folder. */
  fd: number
  /** Where the top folder lies on the disk at this moment. */
  disk: string
  /** The folder to start in, links resolved, as a path of the tree. */
  folder: TreePath
  /** Folders of the server's own below the top: no program may see them. */
  hidden: TreePath[]
}

export interface Capabilities {
  /** The tree can hold links. */
  links: boolean
  /** Anything can be changed at all. */
  write: boolean
  /** At the root, names that differ only by case are the same name. */
  foldsCase: boolean
  /**
   * Opens a folder for a program; absent where the tree lies on no disk.
   *
   * @throws Fault notFound, notDirectory, forbidden (also when files of the server's own lie directly
   *   in the top folder, where nothing can hide them)
   */
  openForCommand?(path: TreePath): Promise<CommandFolder>
  /**
   * Calls `changed` whenever a name in a folder comes, goes or gets other content, until it is
   * disposed of; absent where nobody tells. It may call for nothing, and on network file systems it may
   * miss what others do.
   *
   * @throws Fault notFound, notDirectory, forbidden, unavailable (the system watches no more)
   */
  watch?(path: TreePath, changed: () => void): Promise<Disposable>
  /** Content that was deleted or replaced with `keep`; absent where nothing is kept. */
  kept?: Kept
  /** What an index of names knows; absent where there can be none. */
  names?: NamesKnown
  /**
   * Whether a move from one place to another is one rename, whatever its size; absent where it always is.
   *
   * @throws Fault notFound, forbidden
   */
  isNear?(from: TreePath, to: TreePath): Promise<boolean>
  /** Removes what a resumable copy to a place has left; absent where none are. @throws Fault forbidden */
  removeCopy?(name: string, to: TreePath): Promise<void>
  /** The names of copies that lie on the file system of the root, also of those that nobody goes on with. */
  copies?(): Promise<string[]>
}

/** Names below folders of a tree, from an index: undefined where only a walk can tell. */
export interface NamesKnown {
  /** @throws Fault notFound, notDirectory, forbidden */
  find(path: TreePath, query: string): Promise<IndexedSearch | undefined>
  /** Bytes of all files in each subfolder, by name. @throws as `find` */
  sizes(path: TreePath): Promise<Map<string, number> | undefined>
}

/** Content that is kept under the names that steps gave it, and what tells later whether steps happened. */
export interface Kept {
  /** Names this process among all that keep something here. */
  readonly writer: string
  /** Whether the process of that name has ended. */
  isGone(writer: string): boolean
  /** What stands under a name itself, not behind a link; undefined for nothing. @throws Fault forbidden */
  look(path: TreePath): Promise<Mark | undefined>
  /** The same of kept content. */
  mark(name: string): Mark | undefined
  /** Whether that is on a file system which is not mounted now, so that nobody can tell. */
  isAway(name: string): boolean
  /** Which trash folder a name says. */
  trashOf(name: string): TrashId
  /** The trash folders that can be looked at now. */
  trashes(): TrashId[]
  /** Of the file system of one of them, the trash not taken for free. @throws Fault notFound when it is gone */
  usage(trash: TrashId): Promise<Usage>
  /** The one for the file system of a path, or of the nearest folder above; undefined where nothing was kept so far. */
  trashAt(path: TreePath): Promise<TrashId | undefined>
  /** All that is kept and can be looked at now, also what nobody knows of, with when it came. */
  list(): { name: string; sinceMs: number }[]
  /**
   * Gives kept content a name again, in one step.
   *
   * @returns the real path
   * @throws Fault notFound (of the content, or of the folder), conflict, precondition, noSpace, readOnly, forbidden
   */
  restore(name: string, to: TreePath, options: TransferOptions): Promise<TreePath>
  /** As `Storage.read`, of a kept file. `path` stands in the node. @throws Fault notFound, unsupported */
  read(name: string, path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened>
  /** The room it takes. */
  sizeOf(name: string): Promise<number>
  /** Paths of all that a kept folder holds, from the folder, which is empty. */
  paths(name: string): AsyncGenerator<string>
  /** Removes for ever; not an error when it is gone. @throws Fault forbidden */
  discard(name: string): Promise<void>
}

/**
 * A tree of files and folders. Every verb refuses a path that leads outside, whether by its text or
 * by links, with `forbidden`; a link whose target is missing answers `notFound` to every verb that
 * would follow it.
 */
export interface Storage {
  /** @throws Fault notFound, forbidden */
  stat(path: TreePath): Promise<Node>

  /**
   * The things in a folder, in no order. Links that lead outside, and whatever the storage keeps
   * for itself, are left out.
   *
   * @throws Fault notFound, notDirectory, forbidden
   */
  list(path: TreePath): Promise<Node[]>

  /**
   * A file's node and bytes, both of the same open file. Ending or cancelling the stream closes it;
   * a stream that is never read must be cancelled. `range` is cut to the file's end.
   *
   * @throws Fault notFound, isDirectory, unsupported (not a regular file), forbidden
   */
  read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened>

  /**
   * The first bytes of several files of one folder, as `list` gave them: at most `bytesMax` of each, and
   * all of them in memory at once. Undefined for a link, and for what is no longer that file.
   *
   * @throws Fault notFound, notDirectory, forbidden
   */
  starts(folder: TreePath, files: readonly Node[], bytesMax: number): Promise<(Start | undefined)[]>

  /**
   * Puts a whole file in place in one step: a reader sees the old content or the new, never a part,
   * also after a crash. When this resolves the bytes and the name are on the disk (fsync).
   * The parent folder must exist. A replaced file keeps its permission bits.
   *
   * @throws Fault notFound (parent), conflict, isDirectory, noSpace, readOnly, forbidden, aborted
   */
  write(path: TreePath, from: Source, options: WriteOptions): Promise<Node>

  /**
   * Makes a folder and the missing ones above it. Not an error if it exists as a folder.
   *
   * @throws Fault notDirectory (a file stands in the way), readOnly, forbidden
   */
  mkdir(path: TreePath, options?: ChangeOptions): Promise<void>

  /**
   * Removes a file, a link (never what it leads to) or a folder with all it holds. The name
   * disappears in one step, and comes back when the whole cannot go.
   *
   * @returns the real path of the name that is gone
   * @throws Fault notFound, readOnly, forbidden
   */
  remove(path: TreePath, options?: RemoveOptions): Promise<TreePath>

  /**
   * Renames. With `overwrite`, a file replaces a file in one step and a folder is merged into a
   * folder file by file; without it a taken name is `conflict`. A link moves as a link.
   * Nothing is left out: what another file system cannot hold is refused.
   *
   * @returns the real paths of the old name and the new
   * @throws Fault notFound, conflict, notDirectory, isDirectory, readOnly, forbidden
   */
  move(from: TreePath, to: TreePath, options: TransferOptions): Promise<Moved>

  /**
   * Copies a file or a folder with all it holds, times and permission bits included. Links inside
   * the tree are followed, once; those that leave it are left out. What was not there before
   * appears in one step. `overwrite` as in `move`.
   *
   * @throws Fault notFound, conflict, notDirectory, isDirectory, noSpace, readOnly, forbidden
   */
  copy(from: TreePath, to: TreePath, options: TransferOptions): Promise<void>

  /** Bytes of the file system that holds a folder. @throws Fault notFound, forbidden */
  usage(path: TreePath): Promise<Usage>

  /**
   * The tree from `folder` down, as a storage of its own: its root is `folder`, and links that leave
   * `folder` leave the tree. Within a storage that is within another, no link leads out of either.
   */
  within(folder: TreePath, options?: Inner): Storage

  readonly can: Capabilities
}

export interface Inner {
  /**
   * Where a link carries a verb to a place of another name, it is asked for that name (in the new tree's
   * terms) on the opened object, before anything is read or changed.
   */
  checkPath?: PathCheck | undefined
  /** No link leads to the folder, or there is nothing here. */
  exactly?: boolean
}
