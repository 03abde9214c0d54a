/** Which parts of a text are formulas. `e2e/flows/viewers/mathematics.spec.ts` proves in a browser how they are rendered. */
import { expect, test } from 'bun:test'
import '../../../browser.ts'
import { renderMarkdown } from '#ui/features/editor/markdown/markdown.ts'
import { MATH } from '#ui/features/editor/markdown/math-source.ts'
import { parsePath } from '#wire/paths.ts'

/** The formulas of a text: `inline` or `block`, and the TeX source. */
function formulas(source: string): string[] {
  const page = document.createElement('article')
  page.append(renderMarkdown(source, parsePath('/a.md')))
  return [...page.querySelectorAll(`[${MATH}]`)].map(
    (formula) => `${formula.getAttribute(MATH)}: ${formula.textContent}`,
  )
}

test.each([
  ['an $x^2$ here', ['inline: x^2']],
  ['$a_1$ and $b_{2}$', ['inline: a_1', 'inline: b_{2}']],
  ['$a < b & c$', ['inline: a < b & c']],
  ['$\\{x\\}$ and $5\\$$', ['inline: \\{x\\}', 'inline: 5\\$']],
  ['in words $$x+y$$ too', ['inline: x+y']],
  ['$$\n\\sum_{i=1}^n i\n$$', ['block: \\sum_{i=1}^n i']],
  ['text\n\n$$a$$\n\ntext', ['block: a']],
  ['```math\nx = y\n```', ['block: x = y']],
])('the text %p contains the formulas %p', (source, expected) => {
  expect(formulas(source)).toEqual(expected)
})

test.each([
  'from $5 to $6',
  'US$5 and US$ 6',
  '`$x$`',
  '\\$x\\$',
  'a $ b $ c',
  '```sh\necho $HOME $PATH\n```',
  '$',
  '$$',
  'a$x$',
  'a$$x$$',
  '5$$\nx\n$$',
])('the text %p contains no formula', (source) => {
  expect(formulas(source)).toEqual([])
})

test.each([
  ['a$$x$$', 'a$$x$$'],
  ['5$$ and more\n\nnext', '5$$ and more next'],
  ['first\nsecond\n$$\nx\n$$\nlast', 'first second xlast'],
  ['first\n$$ is not closed', 'first $$ is not closed'],
  ['**a**\n$$x$$\n', 'a x'],
])('the text %p keeps its other parts', (source, expected) => {
  const page = document.createElement('article')
  page.append(renderMarkdown(source, parsePath('/a.md')))
  expect(page.textContent?.replace(/\s+/g, ' ').trim()).toBe(expected)
})
