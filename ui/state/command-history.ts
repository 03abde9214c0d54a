/** The command history of one user, in this browser. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import { session } from './session.ts'

/** The oldest first. */
export function commandHistory(): readonly string[] {
  return rememberedRows(key(), (line) => typeof line === 'string')
}

/** Adds a line. A line that begins with a space is not stored, as in shells. */
export function rememberCommand(line: string): void {
  if (line.trim() === '' || line.startsWith(' ')) return
  const others = commandHistory()
  const repeated = others.at(-1) === line
  const lines = repeated ? others : [...others, line].slice(-ON_DEMAND_LIMITS.shellHistoryMax)
  remember(key(), lines)
}

function key(): string {
  return `filemgr.commands.${session.user?.id ?? 0}`
}
