import { expect, test } from 'bun:test'
import { readSettings } from '#server/settings/import-export.ts'

test('an unknown field is left out with a notice, also if every JavaScript object has a property of its name', () => {
  const { notices, problems } = readSettings({
    settings: { unheard: true, constructor: 1 },
    server: { toString: 'x' },
  })
  expect(notices).toEqual([
    'unheard is left out.',
    'constructor is left out.',
    'toString is left out.',
  ])
  expect(problems).toEqual([])
})
