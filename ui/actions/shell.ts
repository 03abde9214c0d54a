/** The shell panel. */
import { settings } from '#ui/state/settings.ts'
import { shell, toggleShell } from '#ui/state/shell.ts'
import type { Action } from './types.ts'

export const shellActions = [
  {
    id: 'shell',
    label: 'actions.shell',
    icon: 'square-terminal',
    keys: ['Ctrl+`'],
    when: ({ place, may }) => place !== 'elsewhere' && settings.EnableExec && may('execute'),
    pressed: () => shell.open,
    run: toggleShell,
  },
] as const satisfies readonly Action[]
