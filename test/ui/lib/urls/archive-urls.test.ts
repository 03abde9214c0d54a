import { expect, test } from 'bun:test'
import { archivePageUrl, insideOf, sharedArchivePageUrl } from '#ui/lib/urls/archive-urls.ts'
import { parsePath, ROOT } from '#wire/paths.ts'

const archive = parsePath('/a b.zip')
const queryOf = (url: string) => url.slice(url.indexOf('?'))

test('a path in an archive is parsed from its URL, as a folder or as a file', () => {
  for (const [path, asFolder] of [
    ['/docs', true],
    ['/docs/a&b#1%2F+ü.txt', false],
  ] as const) {
    const target = { path: parsePath(path), asFolder }
    expect(insideOf(queryOf(archivePageUrl(archive, target)))).toEqual(target)
    expect(insideOf(queryOf(sharedArchivePageUrl('h', archive, target)))).toEqual(target)
  }
})

test('the root of an archive has no query, and a query that cannot be parsed means the root', () => {
  const root = { path: ROOT, asFolder: true }
  expect(archivePageUrl(archive, root)).toBe('/files/a%20b.zip')
  for (const search of ['', '?inside=', '?inside=%00', '?inside=/docs/..', '?other=1']) {
    expect(insideOf(search)).toEqual(root)
  }
})
