/** The help lists the keys that a user can use, on whatever page. */
import { describe, expect, test } from 'bun:test'
import '../browser.ts'
import { isPossible } from '#ui/actions/possible.ts'
import { actions } from '#ui/actions/registry.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { contextOf } from '../contexts.ts'

const withKeys = actions.filter(({ keys }) => keys !== undefined)

function idsFor(context: Parameters<typeof isPossible>[1]): string[] {
  return withKeys.filter((action) => isPossible(action, context)).map(({ id }) => id)
}

describe('possible actions', () => {
  const everything = withKeys.map(({ id }) => id)

  test('an administrator can use all keys if the server runs commands', () => {
    expect(idsFor(contextOf(permissionsOf('admin'), { runsCommands: true }))).toEqual(everything)
  })

  test('without commands there are no keys for the shell', () => {
    const rest = everything.filter((id) => id !== 'shell')
    expect(idsFor(contextOf(permissionsOf('admin')))).toEqual(rest)
  })

  test('a user who may only look has no keys for changes and downloads', () => {
    const ids = idsFor(contextOf(permissionsOf()))
    expect(ids).toContain('goUp')
    expect(ids).toContain('next')
    for (const id of ['rename', 'delete', 'copy', 'cut', 'paste', 'download', 'save', 'shell'])
      expect(ids).not.toContain(id)
  })
})
