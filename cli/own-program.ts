/** The command line that starts this program again: the executable, or the sources with their runtime. */
export function ownCommandLine(): string[] {
  const compiled = Bun.main.startsWith('/$bunfs/')
  return compiled ? [process.execPath] : [process.execPath, Bun.main]
}
