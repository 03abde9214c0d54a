/** Finding things, and things to do. */
import { openOverlay } from '#ui/state/overlay.ts'
import { session } from '#ui/state/session.ts'
import type { Action } from './types.ts'

export const findActions = [
  {
    id: 'search',
    label: 'actions.search',
    icon: 'search',
    keys: ['Ctrl+Shift+F', '/'],
    inText: true,
    when: () => session.user !== null,
    run: () => openOverlay('search'),
  },
  {
    id: 'commands',
    label: 'actions.commands',
    icon: 'command',
    keys: ['Ctrl+K'],
    inText: true,
    when: () => session.user !== null,
    run: () => openOverlay('palette'),
  },
] as const satisfies readonly Action[]
