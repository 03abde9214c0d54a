/**
 * The properties at the begin of a Markdown text: YAML between lines of `---`, or TOML between lines of `+++`. Only what
 * people write there is understood: texts, lists, and blocks that are shown as they are.
 */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

export interface FrontMatter {
  properties: { name: string; value: string }[]
  /** Where the text itself begins, in UTF-16 units. */
  end: number
}

const BLOCK = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n?^(?:\1|\.\.\.)[ \t]*(?:\r?\n|$)/m
const PROPERTY = /^("[^"\n]*"|'[^'\n]*'|[\p{L}\p{N}_][^:=\n#]*?)[ \t]*(?::(?=\s|$)|=)[ \t]*(.*)$/u

/** @returns undefined if the text does not begin with properties; a line between two rules is a heading, as always */
export function frontMatterOf(source: string): FrontMatter | undefined {
  const block = BLOCK.exec(source)
  if (!block || block.index > 0) return undefined
  const lines = (block[2] ?? '').split(/\r?\n/)
  if (lines.length > ON_DEMAND_LIMITS.propertyLinesMax) return undefined
  const properties: { name: string; lines: string[] }[] = []
  for (const line of lines) {
    const last = properties.at(-1)
    if (/^\s*(?:#|$)/.test(line)) continue
    const property = PROPERTY.exec(line)
    if (property) properties.push({ name: unquoted(property[1] ?? ''), lines: [property[2] ?? ''] })
    else if (last && /^(?:\s|- |-$|[\]}])/.test(line)) last.lines.push(line)
    else return undefined
  }
  if (properties.length === 0) return undefined
  return {
    properties: properties.map(({ name, lines }) => ({ name, value: textOf(lines) })),
    end: block[0].length,
  }
}

function textOf([first = '', ...rest]: string[]): string {
  const single = first.trim()
  if (rest.length === 0) {
    const list = /^\[(.*)\]$/.exec(single)?.[1]
    return list === undefined ? unquoted(withoutComment(single)) : joined(list.split(','))
  }
  if (single === '' && rest.every((line) => /^\s*-\s+[^:]*$/.test(line))) {
    return joined(rest.map((line) => line.replace(/^\s*-\s+/, '')))
  }
  if (single === '[')
    return joined(
      rest
        .join('')
        .replace(/\]\s*$/, '')
        .split(','),
    )
  const indent = Math.min(...rest.map((line) => line.search(/\S/)))
  const text = rest.map((line) => line.slice(indent))
  // `|` keeps the lines, `>` folds them.
  if (/^>/.test(single)) return text.join(' ')
  return (/^(?:\||$)/.test(single) ? text : [single, ...text]).join('\n')
}

function joined(items: readonly string[]): string {
  return items
    .map((item) => unquoted(item.trim()))
    .filter((item) => item !== '')
    .join(', ')
}

function withoutComment(text: string): string {
  return /^["']/.test(text) ? text : text.replace(/\s#.*$/, '')
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text
}
