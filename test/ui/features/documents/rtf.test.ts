import { expect, test } from 'bun:test'
import { linesOf } from '#ui/features/documents/rtf.ts'
import { DocumentProblem } from '#wire/formats/document-problem.ts'

/** Each character is a byte. */
const read = (source: string) => linesOf(Uint8Array.from(source, (char) => char.charCodeAt(0)))

test('an RTF has the text of its paragraphs, without fonts, pictures and properties', () => {
  const source = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\colortbl;\red0;}
{\info{\author Ann}}{\*\generator Word;}\pard\b Gr\'fc\'dfe\b0\par
Second {\i line}\line third{\pict\wmetafile8 0102}\tab end \{x\}\\\par\par
}`
  expect(read(source)).toEqual(['Grüße', 'Second line', 'third\tend {x}\\'])
})

test('an RTF has characters of Unicode once, and those of the code page of its language', () => {
  expect(
    read(String.raw`{\rtf1\ansi\ansicpg1252\uc1 \u8364?5 {\uc2\u-10179\'3f\'3f\u-8704??}!}`),
  ).toEqual(['€5 😀!'])
  expect(read(String.raw`{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b}`)).toEqual(['日本'])
  expect(read(String.raw`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\emdash\~}`)).toEqual(['При—\u00a0'])
})

test('an RTF may end early, have too many brackets, and contain binary data; another file is refused', () => {
  expect(read('{\\rtf1 a{\\b b')).toEqual(['ab'])
  expect(read('{\\rtf1 a}}} b')).toEqual(['a b'])
  expect(read('{\\rtf1 a{\\pict\\bin3 }}}}b')).toEqual(['ab'])
  expect(() => read('no rtf')).toThrow(DocumentProblem)
})
