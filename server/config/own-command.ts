/** Commands of this program as its messages print them: they work when they are copied into a terminal. */
import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { isExecutable } from '#server/os/executable.ts'
import type { Config } from './config.ts'
import { databaseText } from './database-address.ts'

/**
 * @param words the command with its arguments, such as `['config', 'set', 'port', '9000']`
 * @returns the command with the name by which this shell finds the program, and with the database if a command would look
 *   for another one
 */
export function ownCommand({ paths }: Pick<Config, 'paths'>, words: readonly string[]): string {
  const text = databaseText(paths.database)
  const database = text === paths.usualDatabase ? [] : ['--database', text]
  return [programName(), ...words, ...database].map(quoted).join(' ')
}

const NAME = 'filemgr'

/** The name if the shell finds this executable by it, else its path, from the working folder if it is inside. */
function programName(): string {
  if (!isExecutable() || isSameFile(Bun.which(NAME), process.execPath)) return NAME
  const path = relative(process.cwd(), process.execPath)
  if (path.startsWith('..')) return process.execPath
  return /[\\/]/.test(path) ? path : `./${path}`
}

function isSameFile(found: string | null, path: string): boolean {
  return found !== null && realpathSync(found) === realpathSync(path)
}

/** A word as the shell of the system reads it. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (isWindows || !word.includes('\\'))) return word
  return isWindows ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

const isWindows = process.platform === 'win32'
