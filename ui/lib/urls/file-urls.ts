/** The URLs of the files that a page shows: the user's own files, or those of a share. */
import type { TreePath } from '#wire/paths.ts'
import { filesUrl } from '../page/location.ts'
import { rawUrl } from './content-urls.ts'

export interface FileUrls {
  /** The content of a file, to download or (`isShown`) to show. */
  content(path: TreePath, isShown?: boolean): string
  /** The app's URL of a file or folder, without the base path. */
  page(path: TreePath, asFolder: boolean): string
}

export const OWN_URLS: FileUrls = { content: rawUrl, page: filesUrl }
