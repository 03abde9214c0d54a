/** Commands typed into the shell panel, one after the other, and their output. */

import { proxy, ref } from 'valtio'
import { t } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { EMPTY_LOG, type LogView, ShellLog } from '#ui/lib/text/shell-log.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { refreshFolder } from '../folder/folder-events.ts'
import { onUserChange } from '../session/session.ts'
import { rememberCommand } from './command-history.ts'
import { type Ending, endingText, type Program, startProgram } from './program.ts'
import { closeShell } from './shell.ts'

interface Commands {
  log: LogView
  /** The command that runs; empty if there is none. */
  running: string
}

export const commands = proxy<Commands>({ log: ref(EMPTY_LOG), running: '' })

/** Handles a line of the prompt: input for the running command, or else a command to run in `folder`. */
export function enterLine(line: string, folder: TreePath): void {
  if (program) feed(program, line)
  else begin(line, folder)
}

export function clearLog(): void {
  write((lines) => lines.clear())
}

/** Shows a typed line in the log that is not run. */
export function abandonLine(line: string, folder: TreePath): void {
  write((lines) => lines.add('command', `${line}^C`, folderLabel(folder)))
}

/** Asks the running command to end. The second call kills it. */
export function stopCommand(): void {
  if (!program) return
  write((lines) => lines.add('input', '^C'))
  if (program.hasStarted()) program.send({ type: 'signal', signal: isStopping ? 'KILL' : 'INT' })
  else cancelStart(program)
  isStopping = true
}

/** Closes the input of the running command. */
export function endInput(): void {
  program?.send({ type: 'end' })
}

const log = new ShellLog(ON_DEMAND_LIMITS.shellLinesMax)
/** The running command. */
let program: Program | undefined
/** Whether the running command was already asked to end. */
let isStopping = false
// The next user of this browser must not see the output of this one.
onUserChange(() => {
  program?.disconnect()
  reset()
  clearLog()
})

function begin(line: string, folder: TreePath): void {
  rememberCommand(line)
  const command = line.trim()
  if (command === 'clear') {
    clearLog()
    return
  }
  write((lines) => lines.add('command', command, folderLabel(folder)))
  if (command === 'exit') closeShell()
  else if (command !== '') run(command, folder)
}

function run(line: string, folder: TreePath): void {
  commands.running = line
  isStopping = false
  program = startProgram(folder, { type: 'run', line }, { onOutput, onEnd })
}

function feed(running: Program, line: string): void {
  write((lines) => lines.add('input', line))
  running.send({ type: 'input', data: `${line}\n` })
}

/** Ends the connection of a command that the server has not started yet, and says so in the log. */
function cancelStart(waiting: Program): void {
  waiting.disconnect()
  reset()
  write((lines) => lines.add('note', t('shell.notStarted')))
}

function onOutput({ type, data }: { type: string; data: string }): void {
  write((lines) => lines.write(type === 'stderr' ? 'stderr' : 'stdout', data))
}

function onEnd(ending: Ending): void {
  reset()
  const message = endingText(ending)
  if (message !== undefined) {
    write((lines) => lines.add('error' in ending ? 'error' : 'note', message))
  }
  if ('code' in ending) refreshFolder()
}

function reset(): void {
  program = undefined
  commands.running = ''
  write((lines) => lines.end())
}

/** @returns what the log shows before a command */
function folderLabel(folder: TreePath): string {
  return nameOf(folder) || folder
}

/** Whether a render is scheduled. */
let isRenderScheduled = false

/** Changes the log. The page is updated after a short time, together with other changes. */
function write(change: (lines: ShellLog) => void): void {
  change(log)
  if (isRenderScheduled) return
  isRenderScheduled = true
  setTimeout(() => {
    isRenderScheduled = false
    commands.log = ref(log.view())
  }, ON_DEMAND_LIMITS.shellRenderMs)
}
