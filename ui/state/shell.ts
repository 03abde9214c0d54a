/** The shell panel: whether it is open, its height, and its active tab. Stored for each user. */

import { proxy, subscribe } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { remember, rememberedChoices } from '#ui/lib/remembered.ts'
import { session } from './session.ts'

export const SHELL_SIDES = ['commands', 'terminal'] as const
export type ShellSide = (typeof SHELL_SIDES)[number]

interface Kept {
  open: boolean
  side: ShellSide
  /** Without the resize handle. */
  heightEm: number
  /** The program that the terminal started last. */
  program: string
}

interface ShellState extends Kept {
  /** Counts the requests to open the panel; each one moves the focus to the input. */
  asks: number
}

export const shell = proxy<ShellState>({ ...rememberedShell(), asks: 0 })

subscribeKey(session, 'user', (user) => {
  if (user?.id === person) return
  person = user?.id
  Object.assign(shell, rememberedShell(), { asks: 0 })
})

subscribe(shell, () => {
  if (person === undefined) return
  const { asks: _, ...kept } = shell
  remember(keyOf(person), kept)
})

export function openShell(): void {
  shell.open = true
  shell.asks += 1
}

export function closeShell(): void {
  shell.open = false
}

/** Sets the height, within the limits of the specification (section 9). */
export function resizeShell(heightEm: number, windowEm: number): void {
  const most = Math.max(UI_LIMITS.shellHeightMinEm, windowEm - UI_LIMITS.shellWindowRestEm)
  const height = Math.max(UI_LIMITS.shellHeightMinEm, Math.min(heightEm, most))
  shell.heightEm = Math.round(height * 100) / 100
}

let person = session.user?.id

function rememberedShell(): Kept {
  const id = session.user?.id
  const known: Kept = {
    open: false,
    side: 'commands',
    heightEm: UI_LIMITS.shellHeightEm,
    program: '',
  }
  return id === undefined ? known : rememberedChoices(keyOf(id), known)
}

function keyOf(id: number): string {
  return `filemgr.shell.${id}`
}
