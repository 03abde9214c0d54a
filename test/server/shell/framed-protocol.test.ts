/** Messages that come faster than they can be met. */
import { expect, test } from 'bun:test'
import type { Connection, ShellSession } from '#server/shell/connection.ts'
import { FramedProtocol } from '#server/shell/framed-protocol.ts'
import { Shell } from '#server/shell/shell.ts'
import { LIMITS } from '#wire/limits.ts'
import { ROOT } from '#wire/paths.ts'

/** What was sent to the other side, and why it was hung up on. */
class Received implements Connection {
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
  isEnabled: false,
  unconfined: false,
  network: false,
  root: '/',
  secretFiles: [],
  limits,
})
const session: ShellSession = { folder: ROOT, user: () => undefined, shell: () => [] }

/** Everything that waits for its turn has had it. */
const settled = () => Bun.sleep(0)

test.each([
  ['too many messages', LIMITS.socketWaitingMax, 10],
  ['too many characters', LIMITS.socketWaitingMaxChars / 4096, 4096],
])('%s wait: those are refused with a reason, and none is met', async (_, most, length) => {
  const line = new Received()
  const protocol = new FramedProtocol(shell, session, line)
  for (let received = 0; received <= most; received += 1) protocol.receive('x'.repeat(length))
  await settled()
  expect(line.reason).toBe('Too many messages wait for their turn.')
  expect(line.sent).toEqual([])
  protocol.receive('x')
  await settled()
  expect(line.sent).toEqual([])
})

test('as many as may wait are met in their order', async () => {
  const line = new Received()
  const protocol = new FramedProtocol(shell, session, line)
  for (let round = 0; round < 3; round += 1) {
    for (let received = 0; received < LIMITS.socketWaitingMax; received += 1) protocol.receive('x')
    await settled()
  }
  expect([line.sent.length, line.reason]).toEqual([3 * LIMITS.socketWaitingMax, undefined])
})
