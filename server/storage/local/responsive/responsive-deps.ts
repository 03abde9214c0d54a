/** What a view of a storage with other file systems below its root uses. */
import type { TreePath } from '#wire/paths.ts'
import type { OtherDisks } from '../devices/other-disks.ts'
import type { TrashFolders } from '../trash/trash-folders.ts'
import type { ChangeThread } from './change-thread.ts'
import type { ChangeThreads } from './change-threads.ts'
import type { View } from './device-view.ts'

export interface ResponsiveDeps {
  /** As in `ResponsiveStorage`. */
  rootAnswers(): Promise<void>
  /**
   * Waits until the file systems of paths have answered; undefined if they are on that of the root alone.
   *
   * @param treePaths below the served root, which may be above the view
   */
  answer(...treePaths: TreePath[]): Promise<void> | undefined
  /** The thread of the first path that is on another file system; undefined if there is none. */
  threadFor(...paths: TreePath[]): ChangeThread | undefined | Promise<ChangeThread | undefined>
  trashes: TrashFolders | undefined
  disks: OtherDisks
  changes: ChangeThreads
  view: View
  /** The path of the view below the served root. */
  path: TreePath
}
