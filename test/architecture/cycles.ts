/** Cycles of imports between files. */

/** @returns cycles as `a.ts → b.ts → a.ts`: at least one for each set of files that import each other */
export function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const state = new Map<string, 'open' | 'closed'>()
  const path: string[] = []
  const visit = (file: string): void => {
    state.set(file, 'open')
    path.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!state.has(target)) visit(target)
      else if (state.get(target) === 'open') {
        found.push([...path.slice(path.indexOf(target)), target].join(' → '))
      }
    }
    path.pop()
    state.set(file, 'closed')
  }
  for (const file of imports.keys()) if (!state.has(file)) visit(file)
  return found
}
