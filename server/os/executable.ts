/** Whether this is the built executable, and not the sources in their runtime. */
export function isExecutable(): boolean {
  return Bun.main.startsWith('/$bunfs/')
}
