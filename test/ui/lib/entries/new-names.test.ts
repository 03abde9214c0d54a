import { describe, expect, test } from 'bun:test'
import { newNames, type Renaming, renameGroups } from '#ui/lib/entries/new-names.ts'
import { entry } from '../../entries.ts'

const names = (renaming: Renaming, ...spelled: string[]) =>
  newNames(
    spelled.map((one) => entry(`/docs/${one}`)),
    renaming,
    { names: spelled.map((one) => one.replace('/', '')), foldsCase: false },
  ).map(({ name }) => name)

const problems = (renaming: Renaming, selected: string[], others: string[], foldsCase = false) =>
  newNames(
    selected.map((one) => entry(`/docs/${one}`)),
    renaming,
    { names: [...selected, ...others], foldsCase },
  ).map(({ problem }) => problem)

/** The requests in their order, as `old>new`. */
function steps(
  renames: Record<string, string>,
  others: string[] = [],
  foldsCase = false,
): string[][] {
  const all = Object.entries(renames).map(([from, name]) => ({
    entry: entry(`/docs/${from}`),
    name,
  }))
  const siblings = { names: [...Object.keys(renames), ...others], foldsCase }
  return renameGroups(all, siblings).map((group) =>
    group.steps.map(({ from, to }) => `${from}>${to}`),
  )
}

describe('the new names', () => {
  test('a new name replaces every occurrence of a text, which is no pattern', () => {
    const renaming = { kind: 'replace', find: '.', replacement: '$&' } as const
    expect(names(renaming, 'a.b.txt', 'c')).toEqual(['a$&b$&txt', 'c'])
    expect(names({ ...renaming, find: '' }, 'a.txt')).toEqual(['a.txt'])
  })

  test('a new name has the added text before the name, or before the extension of a file', () => {
    const renaming = { kind: 'add', text: '-x' } as const
    expect(names({ ...renaming, position: 'before' }, 'a.txt')).toEqual(['-xa.txt'])
    expect(names({ ...renaming, position: 'after' }, 'a.tar.gz', 'v1.2/', '.env')).toEqual([
      'a-x.tar.gz',
      'v1.2-x',
      '.env-x',
    ])
  })

  test('numbered names have as many digits as the last number, and keep the extension', () => {
    const renaming = { kind: 'number', base: 'Day ', first: 9 } as const
    expect(names(renaming, 'b.jpg', 'a.PNG', 'c/')).toEqual(['Day 09.jpg', 'Day 10.PNG', 'Day 11'])
    expect(names({ ...renaming, first: 1 }, 'b.jpg')).toEqual(['Day 1.jpg'])
  })

  test('new names are refused if they are invalid, taken, or wanted twice', () => {
    const add = (text: string): Renaming => ({ kind: 'add', text, position: 'before' })
    expect(problems(add('a/'), ['a'], [])).toEqual(['slash'])
    expect(problems(add('n'.repeat(255)), ['a'], [])).toEqual(['tooLong'])
    expect(problems(add('x'), ['a', 'b'], ['xb'])).toEqual([undefined, 'taken'])
    expect(problems(add('U\u0308'), ['b'], ['Üb'])).toEqual(['taken'])
    expect(problems(add('x'), ['a'], ['XA'])).toEqual([undefined])
    expect(problems(add('x'), ['a'], ['XA'], true)).toEqual(['taken'])
    const without = (find: string): Renaming => ({ kind: 'replace', find, replacement: '' })
    expect(problems(without('a'), ['a'], [])).toEqual(['empty'])
    expect(problems(without('1'), ['a1', '1a'], [])).toEqual(['twice', 'twice'])
    // An entry that keeps its name has it.
    expect(problems(without('1'), ['a', 'a1'], [])).toEqual([undefined, 'twice'])
  })

  test('a new name may be the old name of another selected entry', () => {
    const renaming = { kind: 'number', base: '', first: 2 } as const
    expect(problems(renaming, ['1', '2', '3'], [])).toEqual([undefined, undefined, undefined])
  })
})

describe('the order of renames', () => {
  test('no entry gets a name before it is free', () => {
    expect(steps({ 1: '2', 2: '3', 3: '4' })).toEqual([['3>4', '2>3', '1>2']])
    expect(steps({ 3: '2', 4: '3', 2: '1' })).toEqual([['2>1', '3>2', '4>3']])
  })

  test('independent renames are separate, and unchanged names are left out', () => {
    expect(steps({ a: 'b', c: 'd', e: 'e' })).toEqual([['a>b'], ['c>d']])
  })

  test('names are exchanged by a temporary name that is free', () => {
    expect(steps({ a: 'b', b: 'a' }, ['a(1)', 'b(1)'])).toEqual([['a>a(2)', 'b>a', 'a(2)>b']])
    expect(steps({ a: 'b', b: 'c', c: 'a' }, [])).toEqual([['a>a(1)', 'c>a', 'b>c', 'a(1)>b']])
  })
})

test('names that a folder does not distinguish are exchanged by a temporary name', () => {
  expect(steps({ a: 'B', b: 'A' }, [], true)).toEqual([['a>a(1)', 'b>A', 'a(1)>B']])
  expect(steps({ a: 'A' }, [], true)).toEqual([['a>A']])
  expect(steps({ a: 'B', b: 'c' }, [], true)).toEqual([['b>c', 'a>B']])
})
