/** The command lines of one person, in this browser. */
import { LIMITS } from '#wire/limits.ts'
import { session } from './session.ts'

/** Oldest first. */
export function commandHistory(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]')
    return Array.isArray(kept) ? kept.filter((line) => typeof line === 'string') : []
  } catch {
    return []
  }
}

/** Adds a line. One that begins with a space is nobody's business, as shells have it. */
export function rememberCommand(line: string): void {
  if (line.trim() === '' || line.startsWith(' ')) return
  const others = commandHistory()
  const repeated = others.at(-1) === line
  const lines = repeated ? others : [...others, line].slice(-LIMITS.shellHistoryMax)
  try {
    localStorage.setItem(key(), JSON.stringify(lines))
  } catch {
    // Storage is refused: nothing is remembered.
  }
}

function key(): string {
  return `filemgr.commands.${session.user?.id ?? 0}`
}
