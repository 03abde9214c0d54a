/** Front matter, footnotes and check boxes in Markdown. */
import { describe, expect, test } from 'bun:test'
import '../../../browser.ts'
import { frontMatterOf } from '#ui/features/editor/markdown/front-matter.ts'
import { renderMarkdown } from '#ui/features/editor/markdown/markdown.ts'
import { toggleTask } from '#ui/features/editor/markdown/tasks.ts'
import { parsePath } from '#wire/paths.ts'

function render(source: string): HTMLElement {
  const page = document.createElement('article')
  page.append(renderMarkdown(source, parsePath('/notes/day.md')))
  return page
}

describe('front matter', () => {
  const rows = (source: string) =>
    frontMatterOf(source)?.properties.map(({ name, value }) => `${name}=${value}`)

  test.each([
    [
      '---\ntitle: "A day: one"\ndate: 2026-05-01 # by hand\n---\ntext',
      ['title=A day: one', 'date=2026-05-01'],
    ],
    ['---\r\ntags: [sea, "north"]\r\n---\r\n', ['tags=sea, north']],
    ['---\ntags:\n  - sea\n  - north\ndraft: true\n---\n', ['tags=sea, north', 'draft=true']],
    [
      '---\nabout: |\n  one\n  two\nfolded: >\n  one\n  two\n---\n',
      ['about=one\ntwo', 'folded=one two'],
    ],
    ['---\nplace:\n  lat: 68\n  lon: 13\n---\n', ['place=lat: 68\nlon: 13']],
    ['+++\ntitle = "A day"\n+++\n', ['title=A day']],
    ['---\nempty:\n---\n', ['empty=']],
  ])('%j', (source, expected) => {
    expect(rows(source)).toEqual(expected)
  })

  test.each([
    '---\n\nA heading\n---\n',
    '# a\n---\nb: c\n---\n',
    '---\nnever: ends\n',
    '---\n---\n',
    'a: b\n',
  ])('the text %j has none', (source) => expect(rows(source)).toBeUndefined())

  test('it is a table before the text, and no HTML', () => {
    const page = render('---\ntitle: <b>x</b>\n---\ntext\n\n# Day\n')
    expect(page.querySelector('table tr th')?.textContent).toBe('title')
    expect(page.querySelector('table td')?.textContent).toBe('<b>x</b>')
    expect(page.querySelectorAll('h1, h2')).toHaveLength(1)
  })
})

describe('footnotes', () => {
  test('they are numbered by their references, listed at the end, and lead back', () => {
    const page = render(
      'One[^b], two[^a], one again[^b].\n\n[^a]: First\n[^b]: Second *text*\n\n    more\n',
    )
    const links = [...page.querySelectorAll('sup a')]
    expect(links.map((link) => link.textContent)).toEqual(['1', '2', '1'])
    expect(links.map((link) => link.getAttribute('href'))[0]).toBe('/files/notes/day.md#footnote-1')
    const items = [...page.querySelectorAll('ol > li')]
    expect(items.map((item) => item.getAttribute('data-section'))).toEqual([
      'footnote-1',
      'footnote-2',
    ])
    expect(items[0]?.textContent).toContain('Second text')
    expect(items[0]?.textContent).toContain('more')
    expect(items[0]?.querySelector('em')?.textContent).toBe('text')
    expect(items[1]?.querySelector('a')?.getAttribute('href')).toBe(
      '/files/notes/day.md#footnote-ref-2',
    )
    expect(page.querySelector('sup')?.getAttribute('data-section')).toBe('footnote-ref-1')
  })

  test('a reference without a text stays as it is, and one text has no notes of another', () => {
    expect(render('a[^<b>]').querySelector('b')).toBeNull()
    expect(render('a[^1]').textContent?.trim()).toBe('a[^1]')
    render('a[^1]\n\n[^1]: x')
    expect(render('a[^1]').querySelector('sup')).toBeNull()
  })

  test('notes that refer to each other end', () => {
    const page = render('a[^1]\n\n[^1]: see[^2]\n\n[^2]: see[^1]\n')
    expect(page.querySelectorAll('ol > li')).toHaveLength(2)
  })
})

describe('check boxes', () => {
  const SOURCE =
    '---\na: b\n---\n- [ ] one\n  - [x] two\n\n```\n- [ ] code\n```\n\n> 1. [ ] three\n'
  const toggled = (index: number, source = SOURCE) => {
    const change = toggleTask(source, index, render(source).querySelectorAll('input').length)
    return change && source.slice(0, change.from) + change.insert + source.slice(change.to)
  }

  test.each([
    [0, SOURCE.replace('[ ] one', '[x] one')],
    [1, SOURCE.replace('[x] two', '[ ] two')],
    [2, SOURCE.replace('[ ] three', '[x] three')],
  ])('box %d', (index, expected) => {
    expect(toggled(index)).toBe(expected)
  })

  test('nothing is changed if it is not certain which box it is', () => {
    expect(toggled(3)).toBeUndefined()
    expect(toggled(0, 'text\n\n<input type="checkbox">\n\n- [ ] one\n')).toBeUndefined()
    expect(toggled(0, '    - [ ] code\n\ntext\n')).toBeUndefined()
  })
})
