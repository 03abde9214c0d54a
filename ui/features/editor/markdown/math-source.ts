/** Finds TeX formulas in Markdown. `math.ts` renders them. */
import type { MarkedExtension, Tokens } from 'marked'

/** Marks an element whose text is TeX: `inline`, or `block` for a separate paragraph. */
export const MATH = 'data-math'

/**
 * `$x$` with the rules of GitHub and Pandoc: no space next to the dollar signs inside, and no digit after the second
 * one, so that "from $5 to $6" is no formula.
 */
const INLINE = /^(\$\$?)(?![\s$])((?:\\[\s\S]|(?!\$)[^\\])+?)(?<!\s)\1(?![\d$])/
const BLOCK = /^ {0,3}\$\$((?:\\[\s\S]|(?!\$\$)[^\\])+)\$\$[ \t]*(?:\n+|$)/

/** A part of the text after which a dollar sign is an ordinary one. `start` cannot know the first character before it. */
const FOLLOWS_WORD = /[\w\\$]$/

/** Parses `$…$`, `$$…$$` and code fences with the language `math`. */
export const mathSyntax: MarkedExtension = {
  extensions: [
    {
      name: 'mathBlock',
      level: 'block',
      // The text begins with the second character of a paragraph, so its own begin is that of no line.
      start: (source) => after(source.match(/\n(?= {0,3}\$\$)/)),
      tokenizer(source) {
        const match = BLOCK.exec(source)
        return match
          ? { type: 'mathBlock', raw: match[0], text: (match[1] ?? '').trim() }
          : undefined
      },
      renderer: renderBlock,
    },
    {
      name: 'mathInline',
      level: 'inline',
      start: (source) => source.match(/(?<![\w\\$])\$/)?.index,
      tokenizer(source, before) {
        const match = INLINE.exec(source)
        if (!match || FOLLOWS_WORD.test(before.at(-1)?.raw ?? '')) return undefined
        return { type: 'mathInline', raw: match[0], text: match[2] ?? '' }
      },
      renderer: ({ text }) => `<code ${MATH}="inline">${escapeHtml(text)}</code>`,
    },
  ],
  renderer: { code: (fence) => (fence.lang === 'math' ? renderBlock(fence) : false) },
}

function after(match: RegExpMatchArray | null): number | undefined {
  return match?.index === undefined ? undefined : match.index + match[0].length
}

function renderBlock({ text }: Tokens.Generic): string {
  return `<p><code ${MATH}="block">${escapeHtml(text)}</code></p>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
