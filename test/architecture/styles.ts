/** Reads selectors and custom properties of style sheets. */
import { lineOf, type Source } from './sources.ts'

export interface Selector {
  text: string
  /** `path:line` */
  at: string
}

/** At-rules that contain style rules. Others (`@keyframes`, `@font-face`) contain no selectors. */
const RULE_CONTAINER = /^@(layer|media|supports|container|starting-style|scope)\b/

/** @returns the selectors of a style sheet, without those that are nested in a style rule */
export function selectorsOf({ path, code }: Source): Selector[] {
  const found: Selector[] = []
  /** How many of the open blocks contain no top-level style rules. */
  let closedBlocks = 0
  let start = 0
  /** For each open block, whether it contains top-level style rules. */
  const areContainers: boolean[] = []
  for (const match of code.matchAll(/[{};]/g)) {
    const head = code.slice(start, match.index)
    start = match.index + 1
    if (match[0] === ';') continue
    if (match[0] === '}') {
      if (areContainers.pop() === false) closedBlocks -= 1
      continue
    }
    const prelude = head.trim()
    const isContainer = RULE_CONTAINER.test(prelude)
    if (!isContainer && !prelude.startsWith('@') && closedBlocks === 0) {
      const line = lineOf(code, match.index - head.trimStart().length)
      for (const text of splitSelectors(prelude)) found.push({ text, at: `${path}:${line}` })
    }
    if (!isContainer) closedBlocks += 1
    areContainers.push(isContainer)
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
    // `--ansi-${colour}` in code is found as `--ansi-`, and reads all properties with this prefix.
    ...code.flatMap(({ code: text }) => text.match(/--[a-z][\w-]+/g) ?? []),
  ]
  const read = new Set(readers)
  const prefixes = readers.filter((name) => name.endsWith('-'))
  return [...new Set(set)].filter(
    (name) => !read.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)),
  )
}

/** @returns the custom properties that a style sheet reads and nothing sets, neither a style sheet nor code */
export function unsetProperties(styles: readonly Source[], code: readonly Source[]): string[] {
  const set = new Set([
    ...styles.flatMap(({ code: text }) => text.match(/(?<=[{;]\s*)--[\w-]+(?=\s*:)/g) ?? []),
    ...code.flatMap(({ code: text }) => text.match(/--[a-z][\w-]+/g) ?? []),
  ])
  const read = styles.flatMap(
    // Only `var(--x)`: in `var(--x, default)` the property need not be set.
    ({ code: text }) => text.match(/(?<=var\(\s*)--[\w-]+(?=\s*\))/g) ?? [],
  )
  return [...new Set(read)].filter((name) => !set.has(name))
}
