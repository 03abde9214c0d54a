/** What can be restored or undone, with paths of the scope. */
import type { Step } from '#server/storage/step.ts'
import type { TreePath } from '#wire/paths.ts'

/** Something kept, its path in the terms of the scope. */
export interface KeptThing {
  name: string
  path: TreePath
  isFolder: boolean
  /** Public links that come back with it. */
  shares: string
}

/** A step that happened, in the terms of the scope. */
export type PastStep = Pick<
  Step,
  'kind' | 'role' | 'path' | 'to' | 'before' | 'after' | 'kept' | 'isFolder'
> & {
  shares: string
}
