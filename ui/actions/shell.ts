/** The shell panel. */

import type { ActionContext } from '#ui/state/action-context.ts'
import { settings } from '#ui/state/settings.ts'
import { shell, toggleShell } from '#ui/state/shell.ts'
import type { Action } from './types.ts'

/** Whether the person may run programs on this server. */
export function hasShell({ may }: ActionContext): boolean {
  return settings.EnableExec && may('execute')
}

export const shellActions = [
  {
    id: 'shell',
    label: 'actions.shell',
    icon: 'square-terminal',
    keys: ['Ctrl+`'],
    when: (context) => context.page !== 'elsewhere' && hasShell(context),
    pressed: () => shell.open,
    run: toggleShell,
  },
] as const satisfies readonly Action[]
