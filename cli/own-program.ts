/** How this very program is started again: the executable alone, or the sources under their runtime. */
export function ownProgram(): string[] {
  const compiled = Bun.main.startsWith('/$bunfs/')
  return compiled ? [process.execPath] : [process.execPath, Bun.main]
}
