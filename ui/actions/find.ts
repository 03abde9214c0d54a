/** Finding things, and things to do. */
import { openOverlay } from '#ui/state/overlay.ts'
import type { Action } from './types.ts'

export const findActions = [
  {
    id: 'search',
    label: 'actions.search',
    icon: 'search',
    keys: ['Ctrl+Shift+F', '/'],
    inText: true,
    when: ({ isSignedIn }) => isSignedIn,
    run: () => openOverlay('search'),
  },
  {
    id: 'commands',
    label: 'actions.commands',
    icon: 'command',
    keys: ['Ctrl+K'],
    inText: true,
    when: ({ isSignedIn }) => isSignedIn,
    run: () => openOverlay('palette'),
  },
] as const satisfies readonly Action[]
