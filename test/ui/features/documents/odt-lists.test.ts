import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { OdtLists } from '#ui/features/documents/odt-lists.ts'

let window: Window
beforeAll(() => {
  window = new Window()
})
afterAll(() => window.close())

const parse = (xml: string) =>
  new window.DOMParser().parseFromString(
    `<document xmlns:text="t" xmlns:style="s">${xml}</document>`,
    'application/xml',
  ) as unknown as Document
const numbered = (start = 1) =>
  `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="i" text:start-value="${start}"/></text:list-style>`
const list = (count: number, attributes = '') =>
  `<text:list text:style-name="L" ${attributes}>${'<text:list-item/>'.repeat(count)}</text:list>`

function numberings(styles: string[], content: string) {
  const lists = new OdtLists(styles.map(parse))
  const elements = [...parse(content).getElementsByTagName('text:list')]
  return elements.map((element) => lists.numberingOf(element))
}

test('a list continues the numbers of the list before it, or of the one that it names', () => {
  const content =
    list(3, 'xml:id="a"') +
    list(2, 'text:continue-numbering="true"') +
    list(1) +
    list(1, 'text:continue-list="a"')
  expect(numberings([numbered()], content).map((each) => each?.first)).toEqual([1, 4, 1, 4])
})

test('a list does not continue another list without an id', () => {
  const bullets = `<text:list text:style-name="none"><text:list-item/></text:list>`
  const nested = `<text:list text:style-name="L"><text:list-item><text:list text:style-name="M"><text:list-item/></text:list></text:list-item></text:list>`
  const second = `<text:list-style style:name="M"><text:list-level-style-number text:level="2" style:num-format="a"/></text:list-style>`
  const content = list(3) + nested + bullets + list(1, 'text:continue-numbering="true"')
  expect(numberings([numbered() + second], content).map((each) => each?.first)).toEqual([
    1,
    1,
    1,
    undefined,
    2,
  ])
})

test('an item with a start value changes the numbers after it', () => {
  const content =
    '<text:list text:style-name="L"><text:list-item text:start-value="7"/><text:list-item/></text:list>'
  const next = list(1, 'text:continue-numbering="true"')
  expect(numberings([numbered(3)], content + next)).toEqual([
    { type: 'lower-roman', first: 3 },
    { type: 'lower-roman', first: 9 },
  ])
})

test('a later style of the same name replaces an earlier one completely', () => {
  const bullets =
    '<text:list-style style:name="L"><text:list-level-style-bullet text:level="1"/></text:list-style>'
  expect(numberings([numbered(), bullets], list(1))).toEqual([undefined])
})
