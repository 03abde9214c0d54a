/** Changes of settings by two processes: each has its own connection to the database. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { type TestCore, temporaryCore } from '../../support/server/test-core.ts'

let own: TestCore
let other: Awaited<ReturnType<typeof openCore>>
beforeEach(async () => {
  own = await temporaryCore()
  other = await openCore(loadConfig({ flags: { database: own.database }, env: {} }))
})
afterEach(async () => {
  await other.close()
  await own.close()
})

const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })

test('a change of settings keeps what another process has changed since the settings were read @spec-10.2', async () => {
  expect(own.settings.get().rules).toEqual([])
  await other.settings.changeRules((rules) => [...rules, deny('/other')])
  await own.settings.setOptions([['minimumPasswordLength', 20]])
  await own.settings.changeRules((rules) => [...rules, deny('/own')])
  await own.settings.changeCommands('after_upload', (lines) => [...lines, 'true'])
  expect(own.settings.get()).toMatchObject({
    minimumPasswordLength: 20,
    rules: [deny('/other'), deny('/own')],
    commands: { after_upload: ['true'] },
  })
})

test('a refused change leaves the settings unchanged', async () => {
  const before = own.settings.get()
  const expression = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
  await expect(own.settings.changeRules(() => [expression])).rejects.toThrow('(')
  expect(own.settings.get()).toEqual(before)
})
