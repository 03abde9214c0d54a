/** Colours code that is only shown, with the grammars of the editor. */
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { languageOf } from '../language-of.ts'
import { TOKENS } from '../tokens.ts'

const KINDS = [
  { tag: [tags.comment, tags.meta], class: 'TextView__comment' },
  { tag: TOKENS.keyword, class: 'TextView__keyword' },
  { tag: TOKENS.string, class: 'TextView__string' },
  { tag: TOKENS.number, class: 'TextView__number' },
  { tag: TOKENS.name, class: 'TextView__name' },
]

/**
 * @param name of the file, which decides about the language
 * @returns the text with its tokens as elements; undefined if the language is unknown. What follows after
 *   `colouredMaxChars` has no colours
 */
export async function colouredCode(
  name: string,
  text: string,
): Promise<DocumentFragment | undefined> {
  const language = languageOf(name)
  if (!language) return undefined
  const { parser } = (await language.load()).language
  const fragment = document.createDocumentFragment()
  const coloured = text.slice(0, ON_DEMAND_LIMITS.colouredMaxChars)
  let end = 0
  highlightTree(parser.parse(coloured), tagHighlighter(KINDS), (from, to, kind) => {
    const token = document.createElement('span')
    token.className = kind
    token.textContent = coloured.slice(from, to)
    fragment.append(coloured.slice(end, from), token)
    end = to
  })
  fragment.append(text.slice(end))
  return fragment
}
