/** The contract of the trash of a storage. */
import type { Usage } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ByteRange, Node, Opened } from './node.ts'
import type { ChangeOptions, Mark, TrashId } from './step.ts'

export interface RestoreOptions extends ChangeOptions {
  /** False: a taken name fails with `conflict`. True: a file is replaced and a folder is merged. */
  overwrite: boolean
  /**
   * Called before the change is recorded, and again at its moment; `taken`: the new name exists. Throwing refuses the change.
   */
  accept?: ((taken: boolean) => void) | undefined
}

/** How large content in the trash is. */
export interface TrashSize {
  /** The lengths of its files. A file with several names in it counts for each of them. */
  sizeBytes: number
  /** How many bytes on the disk its deletion would free. A file with names outside counts as 0. */
  diskBytes: number
}

/** Deleted and replaced content under its trash names, and the data to verify steps. */
export interface TrashStore {
  /** Identifies this process among all that use this trash: another one completes what a killed one has begun. */
  readonly writer: string
  /**
   * The identity of the served folder, which is created if it is missing; undefined on a full disk.
   *
   * @param isCopy whether the folder is a copy of another one, whose identity it must not have
   */
  identity(isCopy: boolean): string | undefined
  /** Whether the process with that name has ended. */
  isGone(writer: string): boolean
  /**
   * @returns the mark of the object at a path, without following a link; undefined if there is none
   * @throws Fault forbidden
   */
  markAt(path: TreePath): Promise<Mark | undefined>
  /**
   * @returns the mark of the folder that holds a name, which need not exist: `folderMark`; undefined if there is no such
   *   folder
   * @throws Fault forbidden
   */
  parentAt(path: TreePath): Promise<Mark | undefined>
  /**
   * @param sinceMs milliseconds since the epoch, by the clock of the file system
   * @param limit the walk ends when it has found so many entries
   * @returns the marks of entries inside the folder that were created or changed after `sinceMs`; links are not
   *   followed
   * @throws Fault notFound, forbidden
   */
  changedSince(folder: TreePath, sinceMs: number, limit: number): Promise<Mark[]>
  /**
   * @returns the mark of content in the trash; undefined if there is none of this name
   * @throws Fault unavailable (its file system does not answer)
   */
  mark(name: string): Promise<Mark | undefined>
  /** Whether the content is on a file system that is not mounted, or does not answer, so that its state is unknown. */
  isAway(name: string): boolean
  /** @returns the trash folder of a trash name */
  trashOf(name: string): TrashId
  /** The trash folders that are mounted. */
  trashes(): TrashId[]
  /**
   * The usage of the trash folder's file system, in which the trash is not free space.
   * @throws Fault unavailable (the file system is not mounted)
   */
  usage(trash: TrashId): Promise<Usage>
  /**
   * The trash folder for the file system of a path, or of the nearest existing folder above; undefined if nothing was
   * kept there yet.
   */
  trashAt(path: TreePath): Promise<TrashId | undefined>
  /** The folder on which the file system of a path is mounted; the root for that of the served folder. Nothing is asked. */
  diskAt(path: TreePath): TreePath
  /**
   * Whether the file system of a name can keep what is removed there.
   * @throws Fault notFound, forbidden
   */
  canKeep(path: TreePath): Promise<boolean>
  /**
   * All content in a trash folder, also without a row in the database. `sinceMs`: the time of its removal, in
   * milliseconds since the epoch.
   * @throws as `mark`
   */
  list(trash: TrashId): Promise<{ name: string; sinceMs: number }[]>
  /**
   * Restores content from the trash to a path, in one step.
   * @returns the real path
   * @throws Fault notFound (the content, or the folder to restore it to), conflict (the name is taken), precondition
   *   (the file there does not have the mark `expect`, or its folder not `expectParent`), noSpace, readOnly, forbidden,
   *   unavailable (not mounted)
   */
  restore(name: string, to: TreePath, options: RestoreOptions): Promise<TreePath>
  /**
   * As `Storage.read`, for a file in the trash. `path` becomes the path of the node.
   * @throws Fault notFound, unsupported (not a regular file), unavailable (its file system is not mounted)
   */
  read(name: string, path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened>
  /** Whether another process uses this trash now. */
  isShared(): boolean
  /**
   * Stores a text beside content; it is removed with the content.
   * @throws Fault noSpace, readOnly, unavailable (not mounted)
   */
  writeRecord(name: string, text: string): Promise<void>
  /**
   * @returns the text beside content; undefined if there is none
   * @throws as `mark`
   */
  readRecord(name: string): Promise<string | undefined>
  /** @throws as `mark` */
  sizeOf(name: string): Promise<TrashSize>
  /**
   * The relative paths of all that a folder in the trash contains; the folder itself is the empty path.
   * @throws as `mark`
   */
  paths(name: string): AsyncGenerator<string>
  /**
   * Deletes content for ever; not an error if it is already gone.
   * @throws Fault forbidden, unavailable (its file system is not mounted)
   */
  discard(name: string): Promise<void>
}
