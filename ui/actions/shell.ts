/** The shell panel. */
import { settings } from '#ui/state/settings.ts'
import { shell, toggleShell } from '#ui/state/shell.ts'
import type { Situation } from '#ui/state/situation.ts'
import type { Action } from './types.ts'

/** Whether the person may run programs on this server. */
export function hasShell({ may }: Situation): boolean {
  return settings.EnableExec && may('execute')
}

export const shellActions = [
  {
    id: 'shell',
    label: 'actions.shell',
    icon: 'square-terminal',
    keys: ['Ctrl+`'],
    when: (now) => now.place !== 'elsewhere' && hasShell(now),
    pressed: () => shell.open,
    run: toggleShell,
  },
] as const satisfies readonly Action[]
