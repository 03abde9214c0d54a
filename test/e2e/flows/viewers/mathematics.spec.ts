/** Formulas in Markdown, drawn by the browser itself. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

test('formulas are rendered in place, and the library is loaded only for texts with formulas @spec-10.6', async ({
  page,
  opened,
  server,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  writeFileSync(join(server.root, 'plain.md'), '# Prices\n\nfrom $5 to $6')
  writeFileSync(
    join(server.root, 'sums.md'),
    '# Sums\n\nLet $x^2 + y^2 = r^2$ be.\n\n$$\n\\sum_{i=1}^n i = \\frac{n(n+1)}{2}\n$$\n',
  )
  await opened.open('/plain.md')
  await expect(opened.rendered('plain.md')).toContainText('from $5 to $6')
  const library = () => asked.filter((url) => /\/math-[^/]*\.js$/.test(url)).length
  expect(library()).toBe(0)

  await opened.open('/sums.md')
  const formulas = opened.rendered('sums.md').getByRole('math')
  await expect(formulas).toHaveCount(2)
  expect(library()).toBe(1)
  await expect(formulas.first().locator('msup').first()).toHaveText('x2')
  await expect(formulas.last()).toHaveAttribute('display', 'block')
  await expect(formulas.last().locator('mfrac')).toBeVisible()
  const [words, fraction] = await Promise.all([
    opened.rendered('sums.md').getByText('Let').boundingBox(),
    formulas.last().locator('mfrac').boundingBox(),
  ])
  expect(fraction?.height).toBeGreaterThan(words?.height ?? 0)
  expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
})

test('hostile formulas stay as source, and run nothing', async ({ page, opened, server }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.addInitScript(() => {
    const refused: string[] = []
    Object.assign(window, { refused })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      refused.push(violatedDirective),
    )
  })
  const hostile = [
    '\\href{javascript:window.ran=1}{x}',
    '\\url{https://evil.example/}',
    '\\includegraphics{https://evil.example/a.png}',
    '\\htmlStyle{background:url(https://evil.example/)}{x}',
    '\\class{Dialog}{x}',
    '\\id{settings}{x}',
    '\\def\\a{\\a\\a}\\a',
    '\\text{<img src=x onerror=window.ran=2>}',
    '\\notACommand{x}',
    `${'{'.repeat(20_000)}x${'}'.repeat(20_000)}`,
  ]
  const source = hostile.map((tex) => `$${tex}$`).join('\n\n')
  writeFileSync(join(server.root, 'evil.md'), `${source}\n\n$1 + 1$ at the end`)
  await opened.open('/evil.md')
  const text = opened.rendered('evil.md')
  await expect(text.getByText('at the end').getByRole('math')).toBeVisible()
  await expect(text.getByText('\\notACommand{x}')).toBeVisible()
  const traces = await text.evaluate((element) => ({
    ran: Reflect.get(window, 'ran'),
    refused: Reflect.get(window, 'refused'),
    elements: element.querySelectorAll('a, img, script, style, iframe').length,
    attributes: [...element.querySelectorAll('math, math *')]
      .flatMap((one) => one.getAttributeNames())
      .filter((name) => /^(on.*|href|src|id)$/.test(name)),
  }))
  expect(traces).toEqual({ ran: undefined, refused: [], elements: 0, attributes: [] })
  expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
})
