/** The shell panel: whether it is open, its height, its active tab and its last program. Stored for each user. */

import { proxy, subscribe } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { remember, rememberedChoices } from '#ui/lib/remembered.ts'
import { onUserChange, session } from '../session/session.ts'

/** The tabs of the panel. */
export const SHELL_TABS = ['commands', 'terminal'] as const
export type ShellTab = (typeof SHELL_TABS)[number]

interface StoredShell {
  open: boolean
  /** The active tab. */
  tab: ShellTab
  /** The height without the resize handle. */
  heightEm: number
  /** The line of the program that the terminal started last: its name and arguments. */
  program: string
}

interface ShellState extends StoredShell {
  /** Counts the requests to open the panel; each one moves the focus to the input. */
  openRequests: number
}

export const shell = proxy<ShellState>({ ...rememberedShell(), openRequests: 0 })

onUserChange((user) => {
  userId = user?.id
  assign(shell, rememberedShell(), { openRequests: 0 })
})

subscribe(shell, () => {
  if (userId === undefined) return
  const { openRequests: _, ...stored } = shell
  remember(keyOf(userId), stored)
})

export function openShell(): void {
  shell.open = true
  shell.openRequests += 1
}

export function closeShell(): void {
  shell.open = false
}

/** Sets the height, within the limits of the specification (section 9). @param maxEm the height that fits on the page */
export function resizeShell(heightEm: number, maxEm: number): void {
  const height = Math.max(UI_LIMITS.shellHeightMinEm, Math.min(heightEm, maxEm))
  shell.heightEm = Math.round(height * 100) / 100
}

let userId = session.user?.id

function rememberedShell(): StoredShell {
  const id = session.user?.id
  const defaults: StoredShell = {
    open: false,
    tab: 'commands',
    heightEm: UI_LIMITS.shellHeightEm,
    program: '',
  }
  return id === undefined ? defaults : rememberedChoices(keyOf(id), defaults)
}

function keyOf(id: number): string {
  return `filemgr.shell.${id}`
}
