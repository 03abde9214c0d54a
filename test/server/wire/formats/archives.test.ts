import { expect, test } from 'bun:test'
import { ARCHIVE_ENDINGS } from '#wire/formats/archive-formats.ts'
import { archiveKindOf, withoutEnding } from '#wire/formats/archives.ts'

test('every format that the server writes can be extracted', () => {
  const kinds = Object.values(ARCHIVE_ENDINGS).map((ending) => archiveKindOf(`a${ending}`))
  expect(kinds).toEqual(['zip', 'tar', 'gz', 'bz2', 'xz', 'lz4', 'sz', 'br', 'zst'])
})

test.each([
  ['photos.TAR.GZ', 'gz', 'photos'],
  ['a.b.tgz', 'gz', 'a.b'],
  ['a.tbz', 'bz2', 'a'],
  ['a.tbz2', 'bz2', 'a'],
  ['a.txz', 'xz', 'a'],
  ['a.tzst', 'zst', 'a'],
  ['.zip', 'zip', '.zip'],
  ['a.gz', undefined, 'a.gz'],
  ['zip', undefined, 'zip'],
  ['a.zip.txt', undefined, 'a.zip.txt'],
] as const)(
  'an archive with the name %s has the kind %s, and is extracted into %s',
  (name, kind, rest) => {
    expect(archiveKindOf(name)).toBe(kind as never)
    expect(withoutEnding(name)).toBe(rest)
  },
)
