import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { commandsFor, findCommands } from '#ui/features/finder/commands.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { session } from '#ui/state/session/session.ts'
import { ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { userOf } from '../../browser.ts'
import { contextOf as contextFor } from '../../contexts.ts'
import { entry } from '../../entries.ts'

function contextOf(changes: Partial<ActionContext> = {}): ActionContext {
  const items = [entry('/a.txt')]
  return contextFor(session.user?.perm ?? permissionsOf(), { path: ROOT, items, ...changes })
}

const names = (changes: Partial<ActionContext> = {}) =>
  commandsFor(contextOf(changes)).map(({ name }) => name)

beforeEach(() => {
  session.user = userOf()
})

test('the commands contain the available actions, and not the finder itself', () => {
  expect(names()).toContain('New folder')
  expect(names()).not.toContain('Delete')
  expect(names({ targets: [entry('/a.txt')] })).toContain('Delete')
  expect(names()).not.toContain('Search')
})

test('the commands contain the home folder and the settings screens that the user may open', () => {
  expect(names()).toEqual(expect.arrayContaining(['My files', 'Settings: Users']))
  session.user = userOf({ perm: permissionsOf('create') })
  expect(names().filter((name) => name.startsWith('Settings'))).toEqual([
    'Settings: Profile',
    'Settings: Trash',
    'Settings: What takes up space',
    'Settings: Activity',
  ])
})

test('every command has a unique id', () => {
  const ids = commandsFor(contextOf({ targets: [entry('/a.txt')] })).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a command is found by all typed words in any order, and a name that begins with the text comes first', () => {
  const commands = commandsFor(contextOf())
  const found = (text: string) => findCommands(commands, text).map(({ name }) => name)
  expect(found('folder new')).toEqual(['New folder'])
  expect(found('files')[0]).not.toBe('My files')
  expect(found('my')[0]).toBe('My files')
  expect(found('dark theme').toSorted()).toEqual(['Settings: Profile', 'Theme: Dark'])
  expect(found('new user')).toEqual(['New user', 'Settings: New users'])
  expect(found('uploads settings')).toEqual(['Settings: Uploads'])
  expect(found('no such thing')).toEqual([])
  expect(found('')).toHaveLength(commands.length)
})
