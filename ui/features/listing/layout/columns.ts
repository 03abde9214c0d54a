import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { useActionContext } from '#ui/state/action-context.ts'
import { followSharedPaths } from '#ui/state/folder/shared-paths.ts'
import { layout } from '#ui/state/view/layout.ts'

/** Optional columns of the list. */
export type ExtraColumn = 'type' | 'shared'

/** The chosen columns, in their order. */
export function useColumns(): ExtraColumn[] {
  const { typeColumn, sharedColumn } = useSnapshot(layout)
  const { may } = useActionContext()
  const hasShared = sharedColumn && may('share')
  useEffect(() => (hasShared ? followSharedPaths() : undefined), [hasShared])
  return [...(typeColumn ? (['type'] as const) : []), ...(hasShared ? (['shared'] as const) : [])]
}
