import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AnsiToken, ansiReader } from '#ui/lib/text/ansi.ts'

/** The tokens of some chunks as one text: `<bold color=1>text</>`, `⏎` for a line end, `⇤` for a line start. */
function read(...chunks: string[]): string {
  const reader = ansiReader()
  return chunks.flatMap(reader).map(shown).join('')
}

function shown(token: AnsiToken): string {
  if (token.type === 'newLine') return '⏎'
  if (token.type === 'lineStart') return '⇤'
  const style = Object.entries(token.style).filter(
    ([, value]) => value !== undefined && value !== false,
  )
  const looks = style.map(([name, value]) => (value === true ? name : `${name}=${value}`))
  return looks.length > 0 ? `<${looks.join(' ')}>${token.text}</>` : token.text
}

describe('colours', () => {
  test.each([
    ['\u001b[31mred\u001b[0m plain', '<color=1>red</> plain'],
    ['\u001b[1;32;44mall\u001b[mnone', '<bold color=2 fill=4>all</>none'],
    [
      '\u001b[95mbright\u001b[39m, \u001b[103mfill\u001b[49m.',
      '<color=13>bright</>, <fill=11>fill</>.',
    ],
    ['\u001b[3;4;9;7;2ma\u001b[23;24;29;27;22mb', '<italic underline strike inverse dim>a</>b'],
    ['\u001b[38;5;9ma\u001b[48;5;196mb', '<color=9>a</><color=9 fill=9>b</>'],
    ['\u001b[38;5;232ma\u001b[38;5;255mb', '<color=0>a</><color=15>b</>'],
    ['\u001b[38;2;255;0;0ma\u001b[38;2;0;90;0mb', '<color=9>a</><color=2>b</>'],
    ['\u001b[38;2;1;2;3;4mtail', '<color=0 underline>tail</>'],
    ['\u001b[38:2::0:0:255mcolons\u001b[4:0m', '<color=12>colons</>'],
    ['\u001b[58;5;1;31mline colour', '<color=1>line colour</>'],
    ['\u001b[38mtoo short', 'too short'],
  ])('the text %j is read with its colours as %j', (text, wanted) => {
    expect(read(text)).toBe(wanted)
  })
})

describe('all other parts of an escape sequence are dropped', () => {
  test.each([
    ['\u001b[2J\u001b[1;1Hhome', 'home'],
    ['\u001b]0;a title\u0007text', 'text'],
    ['\u001b]8;;http://x.test\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPdevice\u001b\\text', 'text'],
    ['\u001b(B\u001b=\u001b7text', 'text'],
    ['a\u0007b\u0000c\u009b', 'abc'],
    ['N\bNA\bAM\bME\bE _\bu', 'NAME u'],
    ['tabs\tstay', 'tabs\tstay'],
    ['\u001b[é', '[é'],
  ])('the text %j is read without its other codes as %j', (text, wanted) => {
    expect(read(text)).toBe(wanted)
  })
})

describe('lines', () => {
  test('a line ends in a line feed, with or without a return before it', () => {
    expect(read('a\nb\r\nc\r\r\nd')).toBe('a⏎b⏎c⏎d')
  })

  test('a carriage return alone starts the line again', () => {
    expect(read('10%\r20%\r', '\ndone')).toBe('10%⇤20%⏎done')
  })
})

test('a style lasts until it changes, across chunks', () => {
  expect(read('\u001b[31ma', 'b\n', 'c\u001b[0', 'md')).toBe(
    '<color=1>a</><color=1>b</>⏎<color=1>c</>d',
  )
})

test('an unterminated title does not hide the following output forever', () => {
  const text = read(`\u001b]0;${'x'.repeat(5000)}`, 'after')
  expect(text).toContain('after')
})

test('the result does not depend on where the stream is split', () => {
  const stream =
    'a\u001b[1;31mb\r\nc\u001b]0;t\u0007d\u001b[38;2;1;200;3me\rf\u001b(Bg\u001b]8;;u\u001b\\h\u001b[0m'
  const merged = (text: string) => text.replace(/<\/><[^>]*>/g, '')
  const whole = read(stream)
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      const pieces = at.slice(1).map((end, index) => stream.slice(at[index], end))
      expect(merged(read(...pieces))).toBe(merged(whole))
    }),
  )
})
