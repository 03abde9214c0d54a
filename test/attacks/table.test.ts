import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openFixture } from '#attacks/fixture.ts'
import { ATTACK_CLASSES, breachOf } from '#attacks/suite.ts'
import { temporaryFolder } from '../support/files/tree.ts'

const cases = ATTACK_CLASSES.flatMap(({ cases }) => cases)

test('the catalogue contains no id twice, and every id from G-01 to G-99', () => {
  const ids = cases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const published = Array.from(
    { length: 99 },
    (_, index) => `G-${String(index + 1).padStart(2, '0')}`,
  )
  expect(ids).toEqual(expect.arrayContaining(published))
})

test('a case that never ends fails, with its time limit', async () => {
  expect(await breachOf(async () => undefined, 1000)).toBe(undefined)
  expect(await breachOf(() => new Promise(() => undefined), 10)).toBe(
    'The case did not end within 0.01 seconds.',
  )
})

test('a fixture whose program cannot be run reports it, and leaves no folder', async () => {
  const folder = temporaryFolder()
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder.path
  try {
    await expect(openFixture([join(folder.path, 'missing')])).rejects.toThrow('ENOENT')
    expect(readdirSync(folder.path)).toEqual([])
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    folder.remove()
  }
})
