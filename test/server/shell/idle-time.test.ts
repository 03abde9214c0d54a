import { expect, test } from 'bun:test'
import { Shell } from '#server/shell/shell.ts'

const idleMsFor = async (timeMs: number) => {
  const shell = await Shell.open({
    isEnabled: false,
    isUnconfined: false,
    network: false,
    root: '/',
    secretFiles: [],
    limits: { timeMs, memoryBytes: 0, processes: 1, outputBytes: 0, fileBytes: 0 },
  })
  return shell.idleMs
}

test('a terminal may be idle for thirty times the time limit of a command', async () => {
  expect(await idleMsFor(10_000)).toBe(300_000)
})

test('the idle time of a terminal is not longer than a timer can wait', async () => {
  expect(await idleMsFor(24 * 60 * 60_000)).toBe(2 ** 31 - 1)
})
