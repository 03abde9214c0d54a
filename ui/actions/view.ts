/** What can be done with the page itself. */

import { filesUrl, goTo } from '#ui/lib/location.ts'
import { WIDE } from '#ui/lib/media.ts'
import { layout } from '#ui/state/layout.ts'
import { reloadListing } from '#ui/state/listing.ts'
import { ask } from '#ui/state/prompts.ts'
import { clearSelection, selectAll, selection } from '#ui/state/selection.ts'
import { canSignOut, session, signOut } from '#ui/state/session.ts'
import { mayLeave } from '#ui/state/text.ts'
import { parentPath, ROOT } from '#wire/paths.ts'
import type { Action } from './types.ts'

export const viewActions = [
  {
    id: 'details',
    label: 'actions.details',
    icon: 'info',
    keys: ['Alt+Enter'],
    when: ({ place }) => place !== 'elsewhere',
    pressed: () => layout.detailsOpen,
    run({ targets }) {
      const hasRoom = matchMedia(WIDE).matches
      if (hasRoom) layout.detailsOpen = !layout.detailsOpen
      else void ask({ name: 'info', entries: targets })
    },
  },
  {
    id: 'selectMultiple',
    label: 'actions.selectMultiple',
    icon: 'list-checks',
    mirror: true,
    when: ({ place, items }) => place === 'folder' && items.length > 0,
    pressed: ({ multiple }) => multiple,
    run() {
      selection.multiple = !selection.multiple
    },
  },
  {
    id: 'selectAll',
    label: 'actions.selectAll',
    icon: 'square-check',
    keys: ['Ctrl+A'],
    when: ({ place, items }) => place === 'folder' && items.length > 0,
    run: ({ items }) => selectAll(items),
  },
  {
    id: 'clearSelection',
    label: 'actions.clearSelection',
    icon: 'x',
    keys: ['Escape'],
    when: ({ place, targets, multiple }) => place === 'folder' && (targets.length > 0 || multiple),
    run: clearSelection,
  },
  {
    id: 'refresh',
    label: 'actions.refresh',
    icon: 'refresh-cw',
    when: ({ place }) => place === 'folder',
    run: reloadListing,
  },
  {
    id: 'goUp',
    label: 'actions.goUp',
    icon: 'arrow-up',
    keys: ['Alt+ArrowUp', 'Backspace'],
    when: ({ place, path }) => place !== 'elsewhere' && path !== ROOT,
    run: ({ path }) => goTo(filesUrl(parentPath(path), true)),
  },
  {
    id: 'help',
    label: 'actions.help',
    icon: 'circle-question-mark',
    keys: ['F1'],
    when: () => true,
    run: () => void ask({ name: 'help' }),
  },
  {
    id: 'logOut',
    label: 'actions.logOut',
    icon: 'log-out',
    mirror: true,
    when: () => session.user !== null && canSignOut(),
    async run() {
      if (await mayLeave()) await signOut()
    },
  },
] as const satisfies readonly Action[]
