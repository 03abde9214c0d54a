/** The command history of one user, in this browser. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import { session } from '../session/session.ts'

/** The oldest first. */
export function commandHistory(): readonly string[] {
  return rememberedRows(key(), (line) => typeof line === 'string')
}

/** Adds a line, unless it is blank, begins with a space, or repeats the last one (as bash with `ignoreboth`). */
export function rememberCommand(line: string): void {
  if (line.trim() === '' || line.startsWith(' ')) return
  const earlier = commandHistory()
  const repeated = earlier.at(-1) === line
  const lines = repeated ? earlier : [...earlier, line].slice(-ON_DEMAND_LIMITS.shellHistoryMax)
  remember(key(), lines)
}

function key(): string {
  return `filemgr.commands.${session.user?.id ?? 0}`
}
