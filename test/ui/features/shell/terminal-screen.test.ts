import { afterEach, expect, spyOn, test } from 'bun:test'
import '../../browser.ts'
import { Terminal } from '@xterm/xterm'
import { runOnScreen } from '#ui/features/shell/terminal-screen.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { userOf } from '../../browser.ts'
import { catchSockets, lastSocket } from '../../sockets.ts'

const write = spyOn(Terminal.prototype, 'write')

afterEach(() => {
  session.user = null
  write.mockRestore()
})

test('the next user does not see the output of the programs of this one', async () => {
  session.user = userOf({ id: 1 })
  await Promise.resolve()
  catchSockets()
  runOnScreen('bash', parsePath('/'))
  lastSocket().open()
  lastSocket().say({ type: 'output', data: 'secret' })
  // The spy calls the original method of the terminal that the screen has created.
  const terminal = write.mock.contexts[0] as Terminal
  /** Resolves when the terminal has processed all output so far. */
  const processed = () => new Promise<void>((resolve) => terminal.write('', resolve))
  const firstLine = () => terminal.buffer.active.getLine(0)?.translateToString(true)
  await processed()
  expect(firstLine()).toBe('secret')
  lastSocket().say({ type: 'output', data: ' and more' })
  session.user = userOf({ id: 2 })
  await Promise.resolve()
  await processed()
  expect(firstLine()).toBe('')
})
