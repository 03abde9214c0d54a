/** The share action. */

import { hasContent } from '#ui/lib/content-urls.ts'
import { ask } from '#ui/state/prompts.ts'
import { loadShares } from '#ui/state/shares.ts'
import type { Action } from './types.ts'

export const shareActions = [
  {
    id: 'share',
    label: 'actions.share',
    icon: 'share-2',
    when: ({ page, targets, may }) =>
      page !== 'elsewhere' && targets.length <= 1 && targets.every(hasContent) && may('share'),
    async run({ page, path, targets: [entry] }) {
      const isHere = page === 'file' || !entry
      const target = isHere ? path : entry.path
      const isDir = entry ? entry.isDir : true
      await loadShares(target, isDir)
      void ask({ name: 'share', path: target, isDir })
    },
  },
] as const satisfies readonly Action[]
