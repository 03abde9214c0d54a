/** Changes of settings by two processes: each has its own connection to the database. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { type TestCore, temporaryCore } from '../../support/server/test-core.ts'

let own: TestCore
let other: ReturnType<typeof openCore>
beforeEach(() => {
  own = temporaryCore()
  other = openCore(loadConfig({ flags: { database: own.database }, env: {} }))
})
afterEach(() => {
  other.close()
  own.close()
})

const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })

test('a change of settings keeps what another process has changed since the settings were read @spec-10.2', () => {
  expect(own.settings.get().rules).toEqual([])
  other.settings.changeRules((rules) => [...rules, deny('/other')])
  own.settings.setOptions([['minimumPasswordLength', 20]])
  own.settings.changeRules((rules) => [...rules, deny('/own')])
  own.settings.changeCommands('after_upload', (lines) => [...lines, 'true'])
  expect(own.settings.get()).toMatchObject({
    minimumPasswordLength: 20,
    rules: [deny('/other'), deny('/own')],
    commands: { after_upload: ['true'] },
  })
})

test('a refused change leaves the settings unchanged', () => {
  const before = own.settings.get()
  const expression = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
  expect(() => own.settings.changeRules(() => [expression])).toThrow('(')
  expect(own.settings.get()).toEqual(before)
})
