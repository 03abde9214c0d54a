/** How a confined folder is opened, and what it checks. */

import type { PathCheck } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { PathResolver } from '../handles/resolve.ts'
import type { FoldsCase } from './folds-case.ts'
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
