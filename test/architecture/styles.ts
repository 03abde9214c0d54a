/** The selectors of a style sheet, with their lines: as much of CSS as the naming rule needs. */
import { lineOf, type Source } from './sources.ts'

export interface Selector {
  text: string
  /** `path:line` */
  at: string
}

/** At-rules that hold rules. Inside any other (`@keyframes`, `@font-face`) nothing is a selector. */
const HOLDS_RULES = /^@(layer|media|supports|container|starting-style|scope)\b/

/** Every selector at the top of a style rule; those nested in a rule belong to their parent. */
export function selectorsOf({ path, code }: Source): Selector[] {
  const found: Selector[] = []
  let skipped = 0
  let start = 0
  const holders: boolean[] = []
  for (const match of code.matchAll(/[{};]/g)) {
    const head = code.slice(start, match.index)
    start = match.index + 1
    if (match[0] === ';') continue
    if (match[0] === '}') {
      if (holders.pop() === false) skipped -= 1
      continue
    }
    const prelude = head.trim()
    const holds = HOLDS_RULES.test(prelude)
    if (!holds && !prelude.startsWith('@') && skipped === 0) {
      const line = lineOf(code, match.index - head.trimStart().length)
      for (const text of splitSelectors(prelude)) found.push({ text, at: `${path}:${line}` })
    }
    if (!holds) skipped += 1
    holders.push(holds)
  }
  return found
}

/** Splits at the commas outside of parentheses. */
function splitSelectors(prelude: string): string[] {
  return prelude
    .replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, (group) => group.replaceAll(',', '\u0001'))
    .split(',')
    .map((selector) => selector.replaceAll('\u0001', ',').trim())
}

/** @returns the custom properties that a style sheet sets and nothing reads, neither a style sheet nor code */
export function unreadProperties(styles: readonly Source[], code: readonly Source[]): string[] {
  const set = styles.flatMap(({ code: text }) =>
    [...text.matchAll(/(?<=[{;]\s*)(--[\w-]+)\s*:/g)].map(([, name = '']) => name),
  )
  const readers = [
    ...styles.flatMap(({ code: text }) => text.match(/(?<=var\(\s*)--[\w-]+/g) ?? []),
    // A name that is made of parts, such as `--ansi-${colour}`, reads all that begin so.
    ...code.flatMap(({ code: text }) => text.match(/--[a-z][\w-]+/g) ?? []),
  ]
  const read = new Set(readers)
  const parts = readers.filter((name) => name.endsWith('-'))
  return [...new Set(set)].filter(
    (name) => !read.has(name) && !parts.some((part) => name.startsWith(part)),
  )
}

/** @returns the custom properties that a style sheet reads and nothing sets, neither a style sheet nor code */
export function unsetProperties(styles: readonly Source[], code: readonly Source[]): string[] {
  const set = new Set([
    ...styles.flatMap(({ code: text }) => text.match(/(?<=[{;]\s*)--[\w-]+(?=\s*:)/g) ?? []),
    ...code.flatMap(({ code: text }) => text.match(/--[a-z][\w-]+/g) ?? []),
  ])
  const read = styles.flatMap(
    // With a value to fall back on, it may be unset.
    ({ code: text }) => text.match(/(?<=var\(\s*)--[\w-]+(?=\s*\))/g) ?? [],
  )
  return [...new Set(read)].filter((name) => !set.has(name))
}
