/** Changes of settings by two processes: each has its own connection to the database. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { openDatabase } from '#server/db/open.ts'
import { SettingRows } from '#server/db/rows/settings.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { Settings } from '#server/settings/settings.ts'
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

test('settings that were read late do not replace newer ones', async () => {
  const database = new SqliteDatabase(openDatabase(own.database), async () => undefined)
  const reads: PromiseWithResolvers<void>[] = []
  let isRead = Promise.withResolvers<void>()
  /** Returns what was read when the test says so. */
  class HeldRows extends SettingRows {
    override async find(key: string): Promise<unknown> {
      const found = await super.find(key)
      const held = reads.shift()
      isRead.resolve()
      await held?.promise
      return found
    }
  }
  const held = Promise.withResolvers<void>()
  const settings = await Settings.open(new HeldRows(database), own.config)
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

  await other.settings.changeRules(() => [deny('/first')])
  await nextTurn()
  reads.push(held)
  isRead = Promise.withResolvers<void>()
  const late = settings.refresh()
  await isRead.promise
  await other.settings.changeRules(() => [deny('/second')])
  await nextTurn()
  await settings.refresh()
  expect(settings.get().rules).toEqual([deny('/second')])
  held.resolve()
  await late
  expect(settings.get().rules).toEqual([deny('/second')])
  await database.close()
})
