import { expect, test } from 'bun:test'
import { parse } from '#server/config/document.ts'

test('a YAML file with lists nested in thousands is refused before it is parsed, with its line', () => {
  for (const nested of ['- '.repeat(200_000), '['.repeat(200_000), '[ '.repeat(40)]) {
    expect(() => parse('f.yaml', `port: 80\na: ${nested}`)).toThrow(
      'f.yaml:2: Lists are nested too deeply here.',
    )
  }
  expect(
    parse('f.yaml', 'a: [[1], 2]\nb: "--------------------------------------------"'),
  ).toBeDefined()
})
