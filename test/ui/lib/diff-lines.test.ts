import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { diffLines } from '#ui/lib/diff-lines.ts'

const shown = (left: string, right: string) =>
  diffLines(left, right).map((row) => (row.isSame ? row.left : [row.left, row.right]))

test('only changed lines differ', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual(['a', ['b', 'x'], 'c'])
  expect(shown('a\nc', 'a\nb\nc')).toEqual(['a', [undefined, 'b'], 'c'])
  expect(shown('a\nb\nc\nd', 'x\nb\nc\ny')).toEqual([['a', 'x'], 'b', 'c', ['d', 'y']])
})

test('each side contains its whole text, and equal texts have no change', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const rows = diffLines(a.join('\n'), b.join('\n'))
      const side = (name: 'left' | 'right') =>
        rows.flatMap((row) => (row[name] === undefined ? [] : [row[name]]))
      expect(side('left')).toEqual(a)
      expect(side('right')).toEqual(b)
      expect(diffLines(a.join('\n'), a.join('\n')).every((row) => row.isSame)).toBe(true)
    }),
  )
})

test('texts of many changed lines are compared too', () => {
  const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join('\n')
  expect(diffLines(many('old'), many('new'))).toHaveLength(3000)
})
