/** What macOS tells by programs of the system. `ps` of Linux prints the same. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { startedMs } from '#server/os/macos-process.ts'

const hasPs = existsSync('/bin/ps')
if (!hasPs) process.stdout.write('This machine has no /bin/ps: starts of processes are not read.\n')

describe.skipIf(!hasPs)('the start of a process', () => {
  test('is the same for every caller, and a child starts after its parent', () => {
    const child = Bun.spawn(['sleep', '60'])
    const own = startedMs(process.pid)
    const ofChild = startedMs(child.pid)
    child.kill()
    expect(own).toBeGreaterThan(Date.UTC(2026, 0))
    expect(startedMs(process.pid)).toBe(own)
    expect(ofChild).toBeGreaterThanOrEqual(own)
  })

  test('of a process that has ended is not known', async () => {
    const child = Bun.spawn(['true'])
    await child.exited
    expect(startedMs(child.pid)).toBe(0)
  })
})
