/** The program in the terminal of the shell panel: at most one, which keeps running while the panel is closed. */

import { proxy } from 'valtio'
import { t } from '#ui/i18n/i18n.ts'
import { assign } from '#ui/lib/assign.ts'
import type { TreePath } from '#wire/paths.ts'
import { refreshFolder } from '../folder/folder-events.ts'
import { onUserChange, session } from '../session/session.ts'
import { type Ending, endingText, type Program, startProgram } from './program.ts'
import { shell } from './shell.ts'

export interface TerminalSize {
  cols: number
  rows: number
}

interface TerminalState {
  isRunning: boolean
  /** How the last program ended; empty if there was none. */
  ending: string
}

export const terminal = proxy<TerminalState>({ isRunning: false, ending: '' })

/** Starts a program that the user may run; `show` receives its output. */
export function startTerminal(
  line: string,
  folder: TreePath,
  size: TerminalSize,
  show: (data: string) => void,
): void {
  program?.disconnect()
  shell.program = line
  assign(terminal, { isRunning: true, ending: '' })
  const start = { type: 'run', line, terminal: true, ...size } as const
  program = startProgram(folder, start, { onOutput: ({ data }) => show(data), onEnd })
}

export function typeIntoTerminal(data: string): void {
  program?.send({ type: 'input', data })
}

export function resizeTerminal(size: TerminalSize): void {
  program?.send({ type: 'resize', ...size })
}

/** Closes the connection, so that the server ends the program. */
function endTerminal(): void {
  program?.disconnect()
  if (terminal.isRunning) onEnd({ error: t('shell.hungUp') })
}

/** Common shells in the order of preference: the first that the user may run is started without a question. */
const SHELLS = ['bash', 'zsh', 'fish', 'ksh', 'dash', 'ash', 'sh']

/** @returns the program that the terminal starts: the last one, else a shell; empty if the user has none */
export function defaultProgram(): string {
  const allowed = session.user?.commands ?? []
  const [last = ''] = shell.program.split(' ')
  if (allowed.includes(last)) return shell.program
  const names = SHELLS.map((name) => allowed.find((path) => path.split('/').at(-1) === name))
  return names.find((name) => name !== undefined) ?? ''
}

let program: Program | undefined

onUserChange(() => {
  endTerminal()
  terminal.ending = ''
})

function onEnd(ending: Ending): void {
  program = undefined
  const message = endingText(ending) ?? t('shell.endedWith', { code: 0 })
  assign(terminal, { isRunning: false, ending: message })
  if ('code' in ending) refreshFolder()
}
