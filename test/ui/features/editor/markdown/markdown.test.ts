/** The URLs in rendered Markdown. `e2e/flows/viewers/opening.spec.ts` proves in a browser that scripts in it do not run. */
import { describe, expect, test } from 'bun:test'
import '../../../browser.ts'
import { renderMarkdown } from '#ui/features/editor/markdown/markdown.ts'
import { parsePath } from '#wire/paths.ts'

function render(source: string): HTMLElement {
  const page = document.createElement('article')
  page.append(renderMarkdown(source, parsePath('/notes/trip/day one.md')))
  return page
}

describe('URLs in Markdown', () => {
  test.each([
    ['map.png', '/api/raw/notes/trip/map.png?inline=true'],
    ['../map%20two.png', '/api/raw/notes/map%20two.png?inline=true'],
    ['/top.png', '/api/raw/top.png?inline=true'],
    ['../../../../up.png', '/api/raw/up.png?inline=true'],
  ])('the picture %s is loaded from %s', (source, address) => {
    expect(render(`![](${source})`).querySelector('img')?.getAttribute('src')).toBe(address)
  })

  test.each([
    ['other.md', '/files/notes/trip/other.md'],
    ['../', '/files/notes/'],
    ['other.md#part', '/files/notes/trip/other.md#part'],
    ['../list.md#Two%20words', '/files/notes/list.md#Two%20words'],
    ['#part', '/files/notes/trip/day%20one.md#part'],
    ['day%20one.md#part', '/files/notes/trip/day%20one.md#part'],
  ])('the link %s has the URL %s', (target, address) => {
    expect(render(`[x](${target})`).querySelector('a')?.getAttribute('href')).toBe(address)
  })

  test('a picture from another host is a link, so nothing is requested before a click', () => {
    const page = render('![a map](https://maps.example/a.png)')
    expect(page.querySelector('img')).toBeNull()
    const link = page.querySelector('a')
    expect(link?.textContent).toBe('a map')
    expect(link?.rel).toContain('noopener')
  })

  test('a link to a section and its heading have the same section name; equal headings are numbered', () => {
    const page = render('[go](#the-second-one)\n\n# The second one!\n\n# The second one!')
    const names = [...page.querySelectorAll('[data-section]')].map((element) =>
      element.getAttribute('data-section'),
    )
    expect(names).toEqual(['the-second-one', 'the-second-one', 'the-second-one-1'])
  })
})

test('tables, task lists and code blocks of GitHub are rendered', () => {
  const page = render('| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```js\n1 < 2\n```')
  expect(page.querySelectorAll('td')).toHaveLength(2)
  expect(page.querySelector('input')?.disabled).toBe(true)
  expect(page.querySelector('pre')?.textContent?.trim()).toBe('1 < 2')
})
