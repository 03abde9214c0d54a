/** The contract of a storage. `test/contract/storage.ts` contains the tests that each implementation must pass. */
import type { Usage } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { FolderNodes, ListOptions } from './folder-nodes.ts'
import type { ByteRange, LeftOutReason, Node, Opened, Source } from './node.ts'
import type { NamesMade, Promised } from './probe.ts'
import type { Snapshots } from './snapshot-file.ts'
import type { ChangeOptions } from './step.ts'
import type { StorageFolder } from './storage-folder.ts'
import type { RestoreOptions, TrashStore } from './trash-store.ts'

export interface WriteOptions extends ChangeOptions {
  /** False: a taken name fails with `conflict`. True: a file is replaced, never a folder. */
  overwrite: boolean
  /** The client's modification time; the present time if absent. */
  modifiedMs?: number | undefined
  /** A new file is executable for all who may read it. */
  isExecutable?: boolean | undefined
  /** Missing folders above the file are created first, as by `mkdir`. */
  makesFolders?: boolean | undefined
  /**
   * Called at the moment of publication with the present file, after the new bytes are flushed, and also before a
   * folder above it is made. Throwing keeps the old file.
   */
  accept?: ((existing: Node | undefined) => void) | undefined
}

export interface TransferOptions extends RestoreOptions {
  /** Called for an entry that a copy leaves out, possibly more than once. */
  leftOut?: ((path: TreePath, reason: LeftOutReason) => void) | undefined
  /** Keeps the partial copy if the operation stops, so that a later call continues it. */
  resumable?: Resumable | undefined
}

/** A copy that can stop and continue. If it is not continued, its caller removes it with `removeCopy`. */
export interface Resumable {
  /** The name of the partial copy, unique among all unfinished copies. */
  name: string
  /** Called before each file with its real path and size. Throwing stops the copy. */
  next(path: TreePath, sizeBytes: number): void | Promise<void>
  /** Called with the bytes copied since the last call, also by an earlier copy; may be 0. Throwing stops the copy. */
  copied(bytes: number): void
  /** Called before a new file is copied, when no work is lost. Throwing stops the copy. */
  beforeNewFile?(): void
  /**
   * Files whose copy was compared and is equal. Key: device and inode of the original (`dev:ino`); value: its mark and
   * ctime then. A continued copy compares only files of which one has changed.
   */
  compared?: Map<string, string> | undefined
  /** Called when a file is complete. */
  done(): void
  /** Called with the first file that failed. Several are copied at the same time, so others may fail after it. */
  failed?(path: TreePath): void
}

export interface MakeFolderOptions extends ChangeOptions {
  /** Called before a folder is recorded, and again right before it is made. Throwing refuses the change. */
  accept?: (() => void) | undefined
}

export interface RemoveOptions extends ChangeOptions {
  /** Called before the removal is recorded, and again right before it. Throwing refuses the change. */
  accept?: (() => void) | undefined
  /** Fail unless the folder is empty. */
  onlyEmpty?: boolean
  /** Fail instead of deleting permanently what the trash cannot keep. */
  onlyToTrash?: boolean
}

/** The old and new path with links resolved. */
export interface Moved {
  from: TreePath
  to: TreePath
}

/**
 * Throws if the real path may not be accessed. `foldsCase` is true where the file system ignores case although that
 * of the root does not.
 */
export type PathCheck = (real: TreePath, foldsCase: boolean) => void

/** A folder on the disk in which a program can be started; open until it is disposed of. */
export interface CommandFolder extends Disposable {
  /** A descriptor of the tree's root folder. */
  fd: number
  /** The present path of the root folder on the disk. */
  disk: string
  /** The folder to start in, links resolved, as a path of the tree. */
  folder: TreePath
  /** Folders of the server below the root, which must be hidden from programs. */
  hidden: TreePath[]
  /** Mount points below the root with such folders whose disk does not respond. Programs must not enter them. */
  silent: TreePath[]
}

/** Several processes may use one folder, also on different machines. */
export interface FolderSharing {
  /**
   * Reports which other processes use the folder.
   *
   * @param log receives this, and what an administrator should know later
   * @param database the path of the database of this process; undefined if it is no file
   */
  listen(log: (line: string) => void, database: string | undefined): void
  /** Removes what processes have left in the root that ended since this one started. @throws Fault */
  clearLeftovers(): Promise<void>
  /**
   * Creates and removes an empty file where new content is staged. Callers within a second share one result. A full
   * disk is no failure.
   *
   * @throws Fault
   */
  checkStaging(): Promise<void>
  /** Whether only this machine can use the file system, so that its kernel decides what happens at the same moment. */
  isOnOneMachine(): Promise<boolean>
  /**
   * Tries what several servers rely on, with files that it removes again.
   *
   * @returns what the file system lacks; undefined if the disk is full, so that nothing can be tried
   * @throws Fault
   */
  lacks(): Promise<Promised[] | undefined>
  /**
   * Creates a folder in which this process and another one make the same names at the same moment.
   *
   * @returns its name, for both; the caller removes it with `closeMeeting`
   * @throws Fault
   */
  openMeeting(): Promise<string>
  /**
   * Makes the names of a meeting, if they are still free.
   *
   * @param side differs from that of the other process
   * @throws Fault notFound if the folder is not there
   */
  makeNames(meeting: string, side: string): Promise<NamesMade>
  /** @throws Fault */
  closeMeeting(meeting: string): Promise<void>
}

export interface Capabilities {
  /** The tree can hold links. */
  links: boolean
  /** The tree can be changed. */
  write: boolean
  /** The root ignores the case of names. */
  foldsCase: boolean
  /**
   * Opens a folder for a program; absent if the tree is not on a disk.
   * @throws Fault notFound, notDirectory, forbidden (also if the root folder directly contains files of the server,
   *   which cannot be hidden there)
   */
  openForCommand?(path: TreePath): Promise<CommandFolder>
  /**
   * Calls `changed` whenever an entry of a folder changes, until it is disposed of; absent if the storage does not
   * report changes. It may be called without a change, and on network file systems it may miss changes by others.
   * @throws Fault notFound, notDirectory, forbidden, unavailable (the system's limit of watches)
   */
  watch?(path: TreePath, changed: () => void): Promise<Disposable>
  /** The trash: content that was deleted or replaced with `keepRemoved`; absent if nothing is kept. */
  trash?: TrashStore
  /** For a folder that other processes may use too; absent if it is read-only. */
  sharing?: FolderSharing
  /** File system snapshots; absent if there can be none. */
  snapshots?: Snapshots
  /**
   * Whether a move is one rename, whatever its size; absent if it always is.
   * @throws Fault notFound, forbidden
   */
  isSameVolume?(from: TreePath, to: TreePath): Promise<boolean>
  /**
   * Removes the partial result of a resumable copy; absent if there are none.
   * @throws Fault forbidden
   */
  removeCopy?(name: string, to: TreePath): Promise<void>
  /** The names of all partial copies on the file system of the root, also of those that no job will continue. */
  copies?(): Promise<string[]>
}

/**
 * A tree of files and folders. Every operation refuses a path that leads outside by links with `outside`; `..` in a
 * path cannot lead outside. If the target of a link is missing, `read` fails with `notFound`, `mkdir` with `notDirectory`,
 * and the others handle the link itself: `write` replaces it. Where `forbidden` is named below, `outside` is possible too.
 */
export interface Storage {
  /** @throws Fault notFound, forbidden */
  stat(path: TreePath): Promise<Node>

  /**
   * As `stat`; undefined if nothing has this name.
   * @throws Fault forbidden
   */
  find(path: TreePath): Promise<Node | undefined>

  /**
   * Opens a folder for several looks at it. The caller disposes of it.
   * @throws Fault notFound, notDirectory, forbidden
   */
  openFolder(path: TreePath): Promise<StorageFolder>

  /**
   * Opens a folder for one listing.
   * @throws as `openFolder`
   */
  list(path: TreePath, options?: ListOptions): Promise<FolderNodes>

  /**
   * Opens a file: node and bytes are of the same open file. End or cancel of the stream closes it; a stream that is
   * never read must be cancelled. `range` is clamped to the size.
   * @throws Fault notFound, isDirectory, unsupported (not a regular file), forbidden
   */
  read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened>

  /**
   * Writes a whole file in one step: a reader sees the old content or the new, never a part, also after a crash. When
   * this resolves, the bytes and the name are on the disk (fsync). The parent folder must exist, unless the options say
   * otherwise. A replaced file keeps its permission bits.
   * @throws Fault notFound (parent), conflict (the name is taken), isDirectory, precondition, noSpace, readOnly,
   *   forbidden, aborted, locked (others change the file all the time)
   */
  write(path: TreePath, from: Source, options: WriteOptions): Promise<Node>

  /**
   * Creates a folder and the missing ones above it. Not an error if it exists as a folder.
   * @throws Fault notDirectory (a file has this name), locked (others change the name all the time), noSpace, readOnly,
   *   forbidden
   */
  mkdir(path: TreePath, options?: MakeFolderOptions): Promise<void>

  /**
   * Removes a file, a link (never its target) or a folder with all its content. The name disappears in one step, and
   * is restored if the folder cannot be removed completely.
   * @returns the real path of the removed name
   * @throws Fault notFound, conflict (`onlyEmpty`, `onlyToTrash`), locked (a mount in it, or others change the name all the
   *   time), precondition, tooLarge (too many levels of folders), readOnly, forbidden
   */
  remove(path: TreePath, options?: RemoveOptions): Promise<TreePath>

  /**
   * Renames. With `overwrite`, a file replaces a file in one step and a folder is merged into a folder file by file;
   * without it a taken name is `conflict`. A link moves as a link. Nothing is left out: the move fails if the other
   * file system cannot store all of it.
   * @returns the real paths of the old name and the new
   * @throws Fault notFound, conflict, notDirectory, isDirectory, badRequest (into itself, or too deep), locked (a mount
   *   in it, or others change the names all the time), precondition, unsupported (the other file system cannot store all of it), tooLarge, noSpace, readOnly, forbidden
   */
  move(from: TreePath, to: TreePath, options: TransferOptions): Promise<Moved>

  /**
   * Copies a file or a folder with times and permission bits. Links inside the tree are followed, a folder behind
   * links only once; all other links are copied as links. Pipes, sockets, devices, snapshots and what may not be read are
   * left out. A new destination appears in one step. `overwrite` as in `move`.
   * @throws Fault notFound, conflict, notDirectory, isDirectory, badRequest (too deep), tooLarge, precondition, locked (others
   *   change the name all the time), noSpace, readOnly, forbidden
   */
  copy(from: TreePath, to: TreePath, options: TransferOptions): Promise<void>

  /**
   * The usage of the file system that holds a folder. `free` are the bytes that `requireRoom` accepts.
   *
   * @param userId whose writes; undefined for those of the server itself
   * @throws Fault notFound, forbidden
   */
  usage(path: TreePath, userId?: number): Promise<Usage>

  /**
   * Checks that a new file fits below the nearest existing folder of its path, before its bytes are received. Content of
   * the trash that a write of the user would delete counts as free.
   * @throws Fault noSpace, readOnly, forbidden
   */
  requireRoom(path: TreePath, bytes: number, userId?: number): Promise<void>

  /**
   * The tree below `folder` as a storage of its own: its root is `folder`, and links that leave `folder` leave the
   * tree. If storages are nested, no link can leave any of their folders.
   */
  within(folder: TreePath, options?: WithinOptions): Storage

  readonly can: Capabilities
}

export interface WithinOptions {
  /** Checks the real path (in the new tree) of an opened object before its use, if it may differ from the requested. */
  checkPath?: PathCheck | undefined
  /** Whether the path must contain no link; otherwise opening fails. */
  isExact?: boolean
  /**
   * False for a storage of recorded paths, also in all storages within it: a link in a path is refused with `outside`,
   * wherever it leads, and a link at the end of a path is the object itself. True by default.
   */
  followsLinks?: boolean
}
