/** The action that opens the finder. */
import { openOverlay } from '#ui/state/dialogs/overlay.ts'
import type { Action } from './types.ts'

export const findActions = [
  {
    id: 'search',
    label: 'actions.search',
    icon: 'search',
    keys: ['Ctrl+K', '/', 'Ctrl+Shift+F'],
    inText: true,
    when: ({ isSignedIn }) => isSignedIn,
    run: () => openOverlay('finder'),
  },
] as const satisfies readonly Action[]
