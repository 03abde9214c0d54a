import { expect, test } from 'bun:test'
import '../../browser.ts'
import { groupsOf } from '#ui/features/finder/rows.ts'
import { userOf } from '../../browser.ts'
import { entry } from '../../entries.ts'

const SOURCES = {
  text: 'a',
  recent: [],
  hits: [],
  total: 0,
  texts: [],
  commands: [],
  users: [],
  showsAll: false,
  onShowAll() {},
}
const command = { id: 'x', group: 'actions', name: 'Add', icon: 'plus', run() {} } as const
const hits = (count: number) => Array.from({ length: count }, (_, at) => entry(`/a${at}.txt`))
const sizes = (changes: Partial<Parameters<typeof groupsOf>[0]>) =>
  groupsOf({ ...SOURCES, ...changes }).map(({ name, rows }) => `${name} ${rows.length}`)

test('many files are cut so that commands are visible, until the user requests all files', () => {
  expect(sizes({ hits: hits(50) })).toEqual(['files 50'])
  expect(sizes({ hits: hits(50), commands: [command] })).toEqual(['files 9', 'commands 1'])
  expect(sizes({ hits: hits(11), commands: [command] })).toEqual(['files 11', 'commands 1'])
  expect(sizes({ hits: hits(50), commands: [command], showsAll: true })).toEqual([
    'files 50',
    'commands 1',
  ])
})

test('users are found by name, and are not listed before the user types', () => {
  const users = [userOf({ username: 'Anna' }), userOf({ username: 'Bo' })] as never
  expect(sizes({ users })).toEqual(['people 1'])
  expect(sizes({ users, text: ' ' })).toEqual([])
})

test('until something is typed, the files that were used last come first', () => {
  const recent = hits(3)
  expect(sizes({ recent, text: '', commands: [command] })).toEqual(['recent 3', 'commands 1'])
  expect(sizes({ recent, commands: [command] })).toEqual(['commands 1'])
})
