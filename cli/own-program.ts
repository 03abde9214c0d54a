import { isExecutable } from '#server/os/executable.ts'

/** The command line that starts this program again: the executable, or the sources with their runtime. */
export function ownCommandLine(): string[] {
  return isExecutable() ? [process.execPath] : [process.execPath, Bun.main]
}
