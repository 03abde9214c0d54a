import { expect, test } from 'bun:test'
import { fromSubRip, fromSubStation } from '#server/files/content/web-vtt.ts'

test.each(['\r\n', '\n', '\r'])('SubRip with the line ending %j becomes WebVTT', (ending) => {
  const source =
    '\ufeff1\r\n00:00:01,000 --> 00:00:02,5\r\nHello<br/>world\r\n\r\n\r\n2\r\n0:01:03,004 --> 0:01:04,000 X1:1\r\nA --> B\r\n'
  expect(fromSubRip(source.replaceAll('\r\n', ending))).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\nworld\n\n00:01:03.004 --> 00:01:04.000\nA → B\n',
  )
})

test('SubStation Alpha becomes WebVTT, without its tags and drawings and with its commas', () => {
  const source = [
    '[Events]',
    'Format: Layer, Start, End, Style, Text',
    'Dialogue: 0,0:00:01.05,0:00:02.50,Default,{\\i1\\pos(1,2)}Well, hello\\Nworld{\\p1}m 0 0 l 9 9{\\p0\\i0}',
    'Dialogue: 0,0:00:01.05,0:00:02.50,Default,{\\pos(1,1)\\p4}m 0 0 l 9 9',
    'Comment: 0,0:00:01.05,0:00:02.50,Default,not said',
    'Dialogue: 0,never,0:00:02.50,Default,x',
  ].join('\n')
  expect(fromSubStation(source)).toBe(
    'WEBVTT\n\n00:00:01.050 --> 00:00:02.500\nWell, hello\nworld\n',
  )
})

test.each([
  ['SubRip', (text: string) => fromSubRip(`1\n00:00:01,000 --> 00:00:02,000\n${text}`)],
  [
    'SubStation Alpha',
    (text: string) =>
      fromSubStation(`[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,${text}`),
  ],
])('the tags of %s are not shown, and a position is one of WebVTT', (_, read) => {
  const cue = (settings: string, text = 'Above') =>
    `WEBVTT\n\n00:00:01.000 --> 00:00:02.000${settings}\n${text}\n`
  expect(read('{\\an8}Above')).toBe(cue(' line:0'))
  expect(read('{\\i1\\an4}Above{\\i0}')).toBe(cue(' line:50% position:5% align:start'))
  expect(read('{\\an3}Above')).toBe(cue(' position:95% align:end'))
  expect(read('{\\an2}Above')).toBe(cue(''))
  // The first one counts, as in players.
  expect(read('{\\an8}{\\an2}Above')).toBe(cue(' line:0'))
})

test('braces without a backslash are text in SubRip', () => {
  expect(fromSubRip('1\n00:00:01,000 --> 00:00:02,000\n{laughs} Yes {')).toContain(
    '\n{laughs} Yes {\n',
  )
})

test('a file without subtitles becomes an empty WebVTT', () => {
  expect([fromSubRip('garbage'), fromSubStation('garbage')]).toEqual(['WEBVTT\n', 'WEBVTT\n'])
})

test.each<[string, (source: string) => string, string]>([
  ['digits without end', fromSubRip, '1'.repeat(2 ** 21)],
  ['a line of times without end', fromSubRip, `${'0:00:01,000 --> '.repeat(2 ** 17)}\ntext`],
  [
    'brackets that are never closed',
    fromSubStation,
    `[Events]\nFormat: Start, Text\nDialogue: 0,${'{'.repeat(2 ** 21)}`,
  ],
  [
    'a format of very many fields, and many lines',
    fromSubStation,
    `[Events]\nFormat: ${'x,'.repeat(2 ** 18)}Start\n${'Dialogue: 1\n'.repeat(2 ** 16)}`,
  ],
])('%s are read in one pass, and are no subtitles', (_, read, source) => {
  expect(read(source)).toBe('WEBVTT\n')
})
