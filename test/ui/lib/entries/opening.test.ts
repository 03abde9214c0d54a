import { expect, test } from 'bun:test'
import '../../browser.ts'
import { namedSubtitles } from '#ui/i18n/subtitle-names.ts'
import { subtitleLanguage } from '#ui/lib/entries/subtitles.ts'
import { indentOf } from '#ui/lib/text/indent.ts'
import { picturesOf } from '#ui/lib/urls/pictures.ts'
import { parsePath } from '#wire/paths.ts'
import { entry } from '../../entries.ts'

test.each([
  ['', '  '],
  ['a\n\tb\n\tc', '\t'],
  ['a {\n    b {\n        c\n    }\n}', '    '],
  ['a:\n  b:\n    c: 1\n  d: 2', '  '],
])('the text %p is indented by %p', (text, indent) => {
  expect(indentOf(text)).toBe(indent)
})

test.each([
  ['film.mp4', 'film.en.srt', 'en'],
  ['film.mp4', 'film.pt-BR.vtt', 'pt-BR'],
  ['film.mp4', '2_English.srt', undefined],
  ['film.mp4', 'film.srt', undefined],
  ['the-cat.mp4', 'the-cat.srt', undefined],
  ['the-cat.mp4', 'subtitles.en.srt', 'en'],
  ['film.mp4', 'film.en.sdh.srt', 'en'],
  ['film.mp4', 'film.de.forced.srt', 'de'],
  ['film.mp4', 'film.en.hi.srt', 'en'],
  ['film.mp4', 'film.hi.srt', 'hi'],
  ['film.mp4', 'film.sdh.srt', undefined],
])('of the film %s, the subtitles %s have the language %p', (film, name, language) => {
  expect(subtitleLanguage(film, name)).toBe(language)
})

test('subtitles have the names of their languages, as far as these tell them apart', () => {
  const labels = (...names: string[]) =>
    namedSubtitles(
      names.map((name) => ({ name, language: subtitleLanguage('film.mp4', name) })),
    ).map(({ label }) => label)
  expect(labels('film.de.srt', 'film.en.srt', 'film.srt')).toEqual([
    'German',
    'English',
    'film.srt',
  ])
  expect(labels('film.en.srt', 'film.en.vtt', 'film.zxx-q.srt')).toEqual([
    'film.en.srt',
    'film.en.vtt',
    'film.zxx-q.srt',
  ])
})

const BIG = 5 * 2 ** 20

test.each([
  ['a.jpg', BIG, true, true],
  ['a.jpg', 1000, true, false],
  ['a.GIF', BIG, true, false],
  ['a.svg', BIG, true, false],
  ['a.tiff', BIG, false, true],
  ['a.heic', 1000, false, true],
])(
  'the file %s of %d bytes is shown in the original: %p, and as a preview: %p',
  (name, size, hasFull, hasPreview) => {
    const path = parsePath(`/p/${name}`)
    const { full, preview } = picturesOf(entry(path, { size }), path, true)
    expect([full !== undefined, preview !== undefined]).toEqual([hasFull, hasPreview])
  },
)

test('a server without previews sends originals', () => {
  const path = parsePath('/p/a.jpg')
  const { full, preview } = picturesOf(entry(path, { size: BIG }), path, false)
  expect([full, preview]).toEqual([
    `/api/raw/p/a.jpg?inline=true&key=${Date.parse(entry(path).modified)}`,
    undefined,
  ])
})
