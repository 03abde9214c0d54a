/** The shell panel. */

import type { ActionContext } from '#ui/state/action-context.ts'
import { closeShell, openShell } from '#ui/state/shell/shell.ts'
import type { Action } from './types.ts'

/** Whether the user may run programs on this server. */
export function mayUseShell({ may, runsCommands }: ActionContext): boolean {
  return runsCommands && may('execute')
}

export const shellActions = [
  {
    id: 'shell',
    label: 'actions.shell',
    icon: 'square-terminal',
    keys: ['Ctrl+`'],
    when: (context) => context.page !== 'elsewhere' && mayUseShell(context),
    pressed: ({ hasShell }) => hasShell,
    run: ({ hasShell }) => (hasShell ? closeShell() : openShell()),
  },
] as const satisfies readonly Action[]
