/** Footnotes in Markdown, as GitHub and Pandoc have them: `[^name]`, and its text after `[^name]: `. */
import type { MarkedExtension, Token, Tokens } from 'marked'

/** Marks an element that links of footnotes lead to. */
export const NOTE = 'data-note'

const REFERENCE = /^\[\^([^\]\s^]{1,100})\]/
/** The first line, and indented lines after it; empty lines before an indented one belong to it. */
const DEFINITION =
  /^ {0,3}\[\^([^\]\s^]{1,100})\]:[ \t]*([^\n]*(?:\n(?:[ \t]*\n)*(?: {2,}|\t)[^\n]+)*)(?:\n+|$)/

/** The footnotes of one text. */
export class Footnotes {
  /** The parsed text by name. */
  readonly #texts = new Map<string, Token[]>()
  /** The names in the order of their first references. */
  readonly #order: string[] = []
  readonly #references = new Map<string, number>()

  /** The syntax, which fills these footnotes while a text is parsed. */
  readonly syntax: MarkedExtension = {
    extensions: [
      {
        name: 'footnoteText',
        level: 'block',
        // Where a paragraph ends for it: only at the begin of a line.
        start: (source) => source.match(/\n {0,3}\[\^[^\]\s^]{1,100}\]:/)?.index,
        tokenizer: (source) => {
          const match = DEFINITION.exec(source)
          if (!match) return undefined
          const text = (match[2] ?? '').replace(/^(?: {1,4}|\t)/gm, '')
          return { type: 'footnoteText', raw: match[0], name: match[1], text, tokens: [] }
        },
        renderer: () => '',
      },
      {
        name: 'footnote',
        level: 'inline',
        start: (source) => source.match(/\[\^/)?.index,
        tokenizer: (source) => {
          const match = REFERENCE.exec(source)
          return match ? { type: 'footnote', raw: match[0], name: match[1] } : undefined
        },
        renderer: (token) => this.#reference(token),
      },
    ],
  }

  /** Takes the texts out of the tokens of a document. */
  collect(tokens: readonly Token[], parse: (text: string) => Token[]): void {
    for (const token of tokens) {
      if (token.type !== 'footnoteText' || !('name' in token)) continue
      if (!this.#texts.has(token.name)) this.#texts.set(token.name, parse(token.text))
    }
  }

  /** @returns the list of the footnotes that have a reference; empty if there are none */
  render(parse: (tokens: Token[]) => string): string {
    const items: string[] = []
    // A footnote may refer to further ones.
    for (let index = 0; index < this.#order.length; index += 1) {
      const text = parse(this.#texts.get(this.#order[index] ?? '') ?? [])
      const back = `<a href="#footnote-ref-${index + 1}">↩</a>`
      const withBack = /<\/p>\s*$/.test(text)
        ? text.replace(/<\/p>\s*$/, ` ${back}</p>`)
        : `${text}${back}`
      items.push(`<li ${NOTE}="footnote-${index + 1}">${withBack}</li>`)
    }
    return items.length === 0 ? '' : `<hr><ol>${items.join('')}</ol>`
  }

  /** A reference without a text is shown as it is written. */
  #reference({ name, raw }: Tokens.Generic): string {
    if (!this.#texts.has(name)) return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    if (!this.#order.includes(name)) this.#order.push(name)
    const number = this.#order.indexOf(name) + 1
    const times = (this.#references.get(name) ?? 0) + 1
    this.#references.set(name, times)
    const mark = times === 1 ? ` ${NOTE}="footnote-ref-${number}"` : ''
    return `<sup${mark}><a href="#footnote-${number}">${number}</a></sup>`
  }
}
