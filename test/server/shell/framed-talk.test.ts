/** Messages that come faster than they can be met. */
import { expect, test } from 'bun:test'
import { FramedTalk } from '#server/shell/framed-talk.ts'
import type { Line, Visit } from '#server/shell/line.ts'
import { Shell } from '#server/shell/shell.ts'
import { LIMITS } from '#wire/limits.ts'
import { ROOT } from '#wire/paths.ts'

/** What was sent to the other side, and why it was hung up on. */
class Heard implements Line {
  readonly sent: string[] = []
  reason: string | undefined
  async send(text: string): Promise<void> {
    this.sent.push(text)
  }
  backlog(): number {
    return 0
  }
  close(reason?: string): void {
    this.reason = reason
  }
}

const limits = { timeMs: 1000, memoryBytes: 0, processes: 1, outputBytes: 0, fileBytes: 0 }
const shell = await Shell.open({
  wanted: false,
  unconfined: false,
  network: false,
  root: '/',
  ownFiles: [],
  limits,
})
const visit: Visit = { folder: ROOT, person: () => undefined, shell: () => [] }

/** Everything that waits for its turn has had it. */
const settled = () => Bun.sleep(0)

test.each([
  ['too many messages', LIMITS.socketWaitingMax, 10],
  ['too many characters', LIMITS.socketWaitingMaxChars / 4096, 4096],
])('%s wait: those are refused with a reason, and none is met', async (_, most, length) => {
  const line = new Heard()
  const talk = new FramedTalk(shell, visit, line)
  for (let heard = 0; heard <= most; heard += 1) talk.hear('x'.repeat(length))
  await settled()
  expect(line.reason).toBe('Too many messages wait for their turn.')
  expect(line.sent).toEqual([])
  talk.hear('x')
  await settled()
  expect(line.sent).toEqual([])
})

test('as many as may wait are met in their order', async () => {
  const line = new Heard()
  const talk = new FramedTalk(shell, visit, line)
  for (let round = 0; round < 3; round += 1) {
    for (let heard = 0; heard < LIMITS.socketWaitingMax; heard += 1) talk.hear('x')
    await settled()
  }
  expect([line.sent.length, line.reason]).toEqual([3 * LIMITS.socketWaitingMax, undefined])
})
