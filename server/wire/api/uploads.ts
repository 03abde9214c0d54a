/** Unfinished uploads as the API lists them. */
import type { TreePath } from '../paths.ts'

export interface UnfinishedUpload {
  id: string
  /** The owner. */
  username: string
  /** The destination as its owner sees it; for administrators in the served folder. */
  path: TreePath
  /** Bytes: the declared size, and how many are on the disk. */
  size: number
  received: number
  /** When it was begun, when the last request ended, and when it is deleted unless it is continued (RFC 3339). */
  created: string
  touched: string
  expires: string
}
