/** The keyboard inside a list: pure functions. */
import type { Entry } from '#wire/entry.ts'

/** Where a key leads from row `at` (-1 is nowhere yet) of `count`, `page` rows at a time. */
export function rowAfter(key: string, at: number, count: number, page: number): number | undefined {
  const to = TARGETS[key]?.(at, count, page)
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to))
}

const TARGETS: Record<string, (at: number, count: number, page: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at, count) => (at < 0 ? count - 1 : at - 1),
  PageDown: (at, _count, page) => at + page,
  PageUp: (at, _count, page) => at - page,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/**
 * The row whose name begins with what was typed, looking on from `at`. A single letter typed again
 * goes to the next such name.
 */
export function rowNamed(typed: string, at: number, items: readonly Entry[]): number {
  const repeated = [...typed].every((letter) => letter === typed[0])
  const wanted = (repeated ? typed.slice(0, 1) : typed).toLocaleLowerCase()
  const start = repeated ? at + 1 : Math.max(0, at)
  for (let step = 0; step < items.length; step += 1) {
    const index = (start + step) % items.length
    if (items[index]?.name.toLocaleLowerCase().startsWith(wanted)) return index
  }
  return -1
}
