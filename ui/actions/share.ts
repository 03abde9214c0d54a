/** The share action. */

import { UI_LIMITS } from '#ui/lib/limits.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { loadShares } from '#ui/state/sharing/shares.ts'
import { mayWithTargets } from './rights.ts'
import type { Action } from './types.ts'

export const shareActions = [
  {
    id: 'share',
    label: 'actions.share',
    icon: 'share-2',
    when: (context) =>
      context.page !== 'elsewhere' &&
      context.targets.length <= UI_LIMITS.sharedAtOnceMax &&
      context.targets.every(hasContent) &&
      mayWithTargets(context, 'share'),
    async run({ page, path, targets }) {
      const [entry] = targets
      if (targets.length > 1) {
        void ask({ name: 'shareMany', entries: targets })
        return
      }
      const isHere = page === 'file' || !entry
      const target = isHere ? path : entry.path
      const isDir = entry ? entry.isDir : true
      await loadShares(target, isDir)
      void ask({ name: 'share', path: target, isDir })
    },
  },
] as const satisfies readonly Action[]
