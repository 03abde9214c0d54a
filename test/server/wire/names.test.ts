import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bytesOfName, canonicalName, displayName, nameOfBytes } from '#wire/names.ts'
import { childPath, parsePath, parseUrlPath, ROOT, toUrlPath } from '#wire/paths.ts'

const LATIN = Uint8Array.from([0x63, 0x61, 0x66, 0xe9])

describe('a name that is not UTF-8', () => {
  test('a name that is not UTF-8 has a text that JSON and URLs preserve, and that converts back to the same bytes', () => {
    const text = nameOfBytes(LATIN)
    expect(text).toBe('caf\uefe9')
    expect(bytesOfName(JSON.parse(JSON.stringify(text)))).toEqual(LATIN)
    const path = childPath(ROOT, text)
    expect(parseUrlPath(toUrlPath(path)).path).toBe(path)
  })

  test('a name that is not UTF-8 is displayed with its bytes in hexadecimal', () => {
    expect(displayName(nameOfBytes(LATIN))).toBe('caf\\xE9')
    expect(displayName(nameOfBytes(LATIN), '%')).toBe('caf%E9')
  })
})

describe('texts and names', () => {
  test('each name has one text, and each canonical text one name', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = nameOfBytes(bytes)
        expect(bytesOfName(text)).toEqual(bytes)
        expect(canonicalName(text)).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(nameOfBytes(bytesOfName(text))).toBe(canonicalName(text))
      }),
    )
  })

  test('a second spelling of a UTF-8 name becomes the first, so that no rule is bypassed', () => {
    // C3 A9 is é in UTF-8; two escapes with these bytes mean é, too.
    expect(parsePath('/caf\uefc3\uefa9')).toBe(parsePath('/caf\u00e9'))
    expect(parseUrlPath('/caf%EE%BF%83%EE%BE%A9').path).toBe(parsePath('/caf\u00e9'))
    expect(childPath(ROOT, '\uefc3\uefa9')).toBe(childPath(ROOT, '\u00e9'))
  })

  test('a name that contains an escape in UTF-8 is converted byte by byte', () => {
    const bytes = new TextEncoder().encode('\uefe9')
    expect(nameOfBytes(bytes)).toHaveLength(3)
    expect(bytesOfName(nameOfBytes(bytes))).toEqual(bytes)
  })
})
