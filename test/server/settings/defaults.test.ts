/** The default settings come from the rows of the live options, each once. */
import { expect, test } from 'bun:test'
import { LIVE_OPTIONS } from '#server/config/live-options.ts'
import { flagOf } from '#server/config/options.ts'
import { DEFAULT_SETTINGS } from '#server/settings/defaults.ts'
import { LIMITS } from '#wire/limits.ts'
import { PERMISSIONS } from '#wire/permissions.ts'
import { settingsShape } from '#wire/shapes/shapes.ts'

/** The paths of all values that are not objects: `defaults.perm.admin`. */
function leavesOf(value: unknown, path: string[] = []): string[] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isBranch) return [path.join('.')]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

test('the default settings are the live options and the lists that have no option', () => {
  const lists = ['rules', 'commands']
  const { rules, commands, ...others } = DEFAULT_SETTINGS
  expect(Object.keys({ rules, commands })).toEqual(lists)
  expect(leavesOf(others).sort()).toEqual(LIVE_OPTIONS.map(({ key }) => key).sort())
})

test('the default settings have every setting that an administrator may send', () => {
  expect(Object.keys(DEFAULT_SETTINGS).sort()).toEqual(Object.keys(settingsShape.shape).sort())
  expect(settingsShape.safeParse(DEFAULT_SETTINGS).error).toBeUndefined()
})

test('the interface has the same fallback for chunk size and retries as the server', () => {
  const { tusChunkDefaultBytes: chunkSize, tusRetryDefault: retryCount } = LIMITS
  expect(DEFAULT_SETTINGS.tus).toEqual({ chunkSize, retryCount })
})

test('a new user may do everything but administer and execute', () => {
  const denied = PERMISSIONS.filter((name) => !DEFAULT_SETTINGS.defaults.perm[name])
  expect(denied).toEqual(['admin', 'execute'])
})

test('each live option has a flag of its own', () => {
  expect(new Set(LIVE_OPTIONS.map(({ key }) => flagOf(key))).size).toBe(LIVE_OPTIONS.length)
})
