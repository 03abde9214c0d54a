import { describe, expect, test } from 'bun:test'
import { withoutUrls } from '#ui/lib/text/safe-css.ts'

const ADDRESS = 'http://other.example/a'

describe('styles of an untrusted document', () => {
  const requests: [name: string, css: string][] = [
    ['a picture', `a { background: url(${ADDRESS}) }`],
    ['a picture in capital letters', `a { background: URL ("${ADDRESS}") }`],
    ['a picture behind an escape', `a { background: u\\rl(${ADDRESS}) }`],
    ['a picture without an end', `a { background: url(${ADDRESS}`],
    ['a choice of pictures', `a { background: image-set("${ADDRESS}" 1x) }`],
    ['an import', `@import "${ADDRESS}";`],
    ['an import behind an escape', `@im\\port "${ADDRESS}";`],
    ['an import around a font', `@imp@font-face{}ort "${ADDRESS}";`],
    ['an import around a comment', `@imp/* */ort "${ADDRESS}";`],
    ['an import around an import', `@imp@import;ort "${ADDRESS}";`],
    ['a font', `@font-face { font-family: a; src: url(${ADDRESS}) }`],
    ['a font without an end', `@font-face { font-family: a; src: url(${ADDRESS})`],
  ]
  for (const [name, css] of requests) {
    test(`styles of an untrusted document cause no request by ${name}`, () => {
      expect(withoutUrls(css)).not.toMatch(/@import|@font-face|url\s*\(|image-set\s*\(/i)
    })
  }

  test('styles that cause no request stay', () => {
    const css =
      'p { color: red; background: linear-gradient(#fff, #000) } @media print { a { top: 0 } }'
    expect(withoutUrls(css)).toBe(css)
  })

  test('a comment without an end is removed, as in the browser', () => {
    expect(withoutUrls('a { top: 0 } /* b { top: 1px }')).toBe('a { top: 0 }  ')
  })
})
