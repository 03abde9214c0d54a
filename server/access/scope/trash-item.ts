/** Items of the trash and past steps, with paths relative to the scope. */
import type { Step } from '#server/storage/step.ts'
import type { TreePath } from '#wire/paths.ts'

/** Content in the trash, with its path in the scope. */
export interface TrashItem {
  name: string
  path: TreePath
  isFolder: boolean
  /** The shares that are created again with it. */
  shares: string
}

/** A step that happened, with paths in the scope. */
export type PastStep = Pick<
  Step,
  | 'kind'
  | 'role'
  | 'path'
  | 'to'
  | 'parent'
  | 'toParent'
  | 'before'
  | 'after'
  | 'kept'
  | 'isFolder'
  | 'completeMs'
> & {
  shares: string
}
