import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DiffRow, diffLines } from '#ui/lib/text/diff-lines.ts'

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

describe('texts with more than 1500 lines between the first and the last change', () => {
  const numbered = Array.from({ length: 3000 }, (_, at) => `line ${at}`)
  const isChanged = ({ isSame }: DiffRow) => !isSame

  test('only the changed lines differ', () => {
    const changed = numbered.with(1, 'first').with(2501, 'last')
    expect(diffLines(numbered.join('\n'), changed.join('\n')).filter(isChanged)).toEqual([
      { left: 'line 1', right: 'first', isSame: false },
      { left: 'line 2501', right: 'last', isSame: false },
    ])
  })

  test('lines that were inserted and removed do not change the others', () => {
    const changed = ['new', ...numbered.toSpliced(2500, 1)].toSpliced(1000, 0, '', '')
    expect(diffLines(numbered.join('\n'), changed.join('\n')).filter(isChanged)).toEqual([
      { left: undefined, right: 'new', isSame: false },
      { left: undefined, right: '', isSame: false },
      { left: undefined, right: '', isSame: false },
      { left: 'line 2500', right: undefined, isSame: false },
    ])
  })

  test('repeated lines are paired by their position', () => {
    const repeated = numbered.map((_, at) => `${at % 2}`)
    const changed = repeated.with(1, 'first').with(2501, 'last')
    expect(diffLines(repeated.join('\n'), changed.join('\n')).filter(isChanged)).toHaveLength(2)
  })

  test('each side contains its whole text, in whatever order the lines are', () => {
    const order = (factor: number) =>
      numbered.map((_, at) => `line ${((at * factor) % 3001) % 2800}`).filter((_, at) => at % 7)
    for (const factor of [2, 3, 1000, 1500, 2999]) {
      const [a, b] = [order(1), order(factor)]
      const rows = diffLines(a.join('\n'), b.join('\n'))
      expect(rows.flatMap(({ left }) => left ?? [])).toEqual(a)
      expect(rows.flatMap(({ right }) => right ?? [])).toEqual(b)
      expect(rows.every(({ left, right, isSame }) => isSame === (left === right))).toBe(true)
    }
  })
})
