/** Messages of a client that arrive faster than they are handled. */
import { expect, test } from 'bun:test'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Connection, ShellSession } from '#server/shell/connection.ts'
import { FramedProtocol } from '#server/shell/protocol/framed-protocol.ts'
import { Shell } from '#server/shell/shell.ts'
import { ROOT } from '#wire/paths.ts'

/** Records the messages to the client, and the reason why the connection was closed. */
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
  isUnconfined: false,
  network: false,
  root: '/',
  secretFiles: [],
  limits,
})
const session: ShellSession = { folder: ROOT, user: async () => undefined, shell: () => [] }

/** Waits until all messages so far are handled. */
const settled = () => Bun.sleep(0)

test.each([
  ['too many messages', SERVER_LIMITS.socketWaitingMax, 10],
  ['too many characters', SERVER_LIMITS.socketWaitingMaxChars / 4096, 4096],
])(
  'if %s wait, the connection is closed with a reason, and none of them is handled',
  async (_, most, length) => {
    const connection = new Received()
    const protocol = new FramedProtocol(shell, session, connection)
    for (let received = 0; received <= most; received += 1) protocol.receive('x'.repeat(length))
    await settled()
    expect(connection.reason).toBe('Too many messages wait for their turn.')
    expect(connection.sent).toEqual([])
    protocol.receive('x')
    await settled()
    expect(connection.sent).toEqual([])
  },
)

test('as many messages as may wait are all handled @limit-37', async () => {
  const connection = new Received()
  const protocol = new FramedProtocol(shell, session, connection)
  for (let round = 0; round < 3; round += 1) {
    for (let received = 0; received < SERVER_LIMITS.socketWaitingMax; received += 1)
      protocol.receive('x')
    await settled()
  }
  expect([connection.sent.length, connection.reason]).toEqual([
    3 * SERVER_LIMITS.socketWaitingMax,
    undefined,
  ])
})
