import { expect, test } from 'bun:test'
import '../../browser.ts'
import { archiveUrl, rawUrl, thumbnailUrl } from '#ui/lib/urls/content-urls.ts'
import { parsePath } from '#wire/paths.ts'

/** Parses as the server does: the query decoded once, cut at commas, each piece decoded again. */
function namesOf(url: string): string[] {
  const files = new URL(url, 'http://x').searchParams.get('files') ?? ''
  return files.split(',').map(decodeURIComponent)
}

test.each([[['a.txt', 'b.txt']], [['a,b.txt', '100%.txt', 'a#b', 'a%23b', 'ü +&.txt']]])(
  'an archive of %p contains exactly these names',
  (names) => {
    const url = archiveUrl(parsePath('/docs/a#b'), names)
    expect(new URL(url, 'http://x').pathname).toBe('/api/raw/docs/a%23b/')
    expect(namesOf(url)).toEqual(names)
  },
)

test('the whole folder is requested by its path alone', () => {
  expect(archiveUrl(parsePath('/docs'), [])).toBe('/api/raw/docs/?algo=zip')
})

test('a file is downloaded or shown', () => {
  expect(rawUrl(parsePath('/a b.txt'))).toBe('/api/raw/a%20b.txt')
  expect(rawUrl(parsePath('/a b.txt'), true)).toBe('/api/raw/a%20b.txt?inline=true')
})

test('a changed picture has another URL', () => {
  const at = (modified: string) => thumbnailUrl({ modified }, parsePath('/a.jpg'))
  expect(at('2026-01-02T03:04:05Z')).toBe('/api/preview/thumb/a.jpg?inline=true&key=1767323045000')
  expect(at('2026-01-02T03:04:06Z')).not.toBe(at('2026-01-02T03:04:05Z'))
})
