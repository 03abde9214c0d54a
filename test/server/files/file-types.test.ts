/** Types of files by their names, and the media types under which browsers show them. */
import { expect, test } from 'bun:test'
import { mediaType, typeByEnding } from '#server/files/file-types.ts'

const LONG =
  'apng avif aiff flac heic heif jfif jpeg m2ts mjpg moov movie mpeg mpga opus tiff webm webp wbmp'

/** All extensions of at most three letters or digits, and some longer ones. */
function* endings(): Generator<string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
  for (const first of letters) {
    yield first
    for (const second of letters) {
      yield first + second
      for (const third of letters) yield first + second + third
    }
  }
  yield* LONG.split(' ')
}

test('what is shown as a picture, film, song or PDF is never sent as a text, a page or a script', () => {
  const shown = new Set(['image', 'video', 'audio', 'pdf'])
  let count = 0
  for (const ending of endings()) {
    if (!shown.has(typeByEnding(`a.${ending}`) ?? '')) continue
    count += 1
    const type = mediaType(`A.${ending.toUpperCase()}`)
    // A drawing is XML, and may contain scripts, which the sandbox of the response stops.
    const isActive = /^text\/|script|html|xml/.test(type) && type !== 'image/svg+xml'
    expect([ending, type, isActive]).toEqual([ending, type, false])
  }
  expect(count).toBeGreaterThan(120)
  expect([mediaType('a.mts'), mediaType('a.TS')]).toEqual(['video/mp2t', 'video/mp2t'])
})

test('a name of a text, a page or a script has no media type of its own', () => {
  const types = ['a.js', 'a.mjs', 'a.html', 'a.xhtml', 'a.css', 'a.txt'].map(mediaType)
  expect(new Set(types)).toEqual(new Set(['application/octet-stream']))
})
