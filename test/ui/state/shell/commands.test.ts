import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import '../../browser.ts'
import { subscribe } from 'valtio'
import { session } from '#ui/state/session/session.ts'
import { commandHistory, rememberCommand } from '#ui/state/shell/command-history.ts'
import {
  abandonLine,
  clearLog,
  commands,
  endInput,
  enterLine,
  stopCommand,
} from '#ui/state/shell/commands.ts'
import { openShell, shell } from '#ui/state/shell/shell.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { SHELL_PROTOCOL } from '#wire/api/shell.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'
import { catchSockets, lastSocket, sockets } from '../../sockets.ts'

const DOCS = parsePath('/my docs')
const RealSocket = globalThis.WebSocket

beforeEach(async () => {
  localStorage.clear()
  catchSockets()
  serve(() => new Response('', { status: 500 }))
  session.user = null
  await shows('')
  session.user = userOf({ commands: ['ls'] })
})

afterAll(() => {
  Object.defineProperty(globalThis, 'WebSocket', { value: RealSocket, configurable: true })
})

const shown = () =>
  commands.log.blocks
    .flatMap(({ lines }) =>
      lines.map(({ kind, runs }) => `${kind}: ${runs.map((run) => run.text).join('')}`),
    )
    .join('\n')

/** Waits until exactly this is shown. */
function shows(wanted: string): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (shown() !== wanted) return
      stop()
      done()
    }
    const stop = subscribe(commands, look)
    look()
  })
}

/** Enters a command, for which the server accepts the socket. @returns the socket */
function start(line: string) {
  enterLine(line, DOCS)
  const socket = lastSocket()
  socket.open()
  return socket
}

describe('a command', () => {
  test('a command runs in the folder, and its output and exit status are shown', async () => {
    const socket = start('  make all ')
    expect(socket.url).toBe('ws://files.test/api/command/my%20docs/')
    expect(socket.protocol).toBe(SHELL_PROTOCOL)
    expect(socket.sent).toEqual([{ type: 'run', line: 'make all' }])
    expect(commands.running).toBe('make all')
    socket.say({ type: 'stdout', data: 'one\ntw' })
    socket.say({ type: 'stdout', data: 'o\n' })
    socket.say({ type: 'stderr', data: 'oops\n' })
    socket.say({ type: 'exit', code: 2 })
    expect(commands.running).toBe('')
    await shows(
      'command: make all\nstdout: one\nstdout: two\nstderr: oops\nnote: Ended with code 2.',
    )
  })

  test('a successful command shows no exit status', async () => {
    start('true').say({ type: 'exit', code: 0 })
    await shows('command: true')
  })

  test('a command ended by a signal shows the signal', async () => {
    start('sleep 9').say({ type: 'exit', code: 130, signal: 'SIGINT' })
    await shows('command: sleep 9\nnote: Ended by SIGINT.')
  })

  test('a command that is not allowed shows an error', async () => {
    start('rm x').say({ type: 'error', message: 'x', reason: 'commandNotAllowed' })
    expect(commands.running).toBe('')
    await shows('command: rm x\nerror: Command not allowed.')
  })

  test('a command with a lost connection shows an error', async () => {
    const socket = start('make')
    socket.say({ type: 'stdout', data: 'half' })
    socket.drop()
    expect(commands.running).toBe('')
    await shows('command: make\nstdout: half\nerror: The connection was closed before the end.')
  })

  test('a command receives typed lines as input, and the end of input', async () => {
    const socket = start('cat')
    enterLine('words', DOCS)
    endInput()
    expect(socket.sent.slice(1)).toEqual([{ type: 'input', data: 'words\n' }, { type: 'end' }])
    expect(sockets).toHaveLength(1)
    socket.say({ type: 'exit', code: 0 })
    enterLine('next', DOCS)
    expect(sockets).toHaveLength(2)
  })

  test('a command is interrupted, and killed by the second request', () => {
    const socket = start('make')
    stopCommand()
    stopCommand()
    expect(socket.sent.slice(1)).toEqual([
      { type: 'signal', signal: 'INT' },
      { type: 'signal', signal: 'KILL' },
    ])
  })

  test('a command receives lines that were typed before the connection was open', () => {
    enterLine('cat', DOCS)
    enterLine('early', DOCS)
    lastSocket().open()
    expect(lastSocket().sent).toEqual([
      { type: 'run', line: 'cat' },
      { type: 'input', data: 'early\n' },
    ])
  })

  test('a command without a connection is cancelled at once, and the log says so', async () => {
    enterLine('make', DOCS)
    stopCommand()
    expect(commands.running).toBe('')
    expect(lastSocket().readyState).toBe(3)
    await shows('command: make\ninput: ^C\nnote: Not started.')
  })
})

describe('a refused socket', () => {
  test('a refused socket shows the server’s reason', async () => {
    serve(() => new Response('No', { status: 403, headers: { [FAULT_HEADER]: 'forbidden' } }))
    enterLine('ls', DOCS)
    lastSocket().drop()
    await shows('command: ls\nerror: You do not have permission to do this.')
    expect(sentRequests.map(({ url }) => url)).toEqual(['/api/command/my%20docs/'])
  })

  test('a refused socket is opened once more if the server would accept it', async () => {
    const ready = new Response('Sockets', {
      status: 400,
      headers: { [FAULT_HEADER]: 'badRequest' },
    })
    serve(() => ready.clone())
    enterLine('ls', DOCS)
    lastSocket().drop()
    while (sockets.length < 2) await Promise.resolve()
    lastSocket().drop()
    await shows(
      'command: ls\nerror: No connection for commands. A proxy may not support WebSocket.',
    )
    expect(sockets).toHaveLength(2)
  })
})

describe('the panel itself', () => {
  test('the panel clears and closes without asking the server', async () => {
    openShell()
    abandonLine('half', DOCS)
    await shows('command: half^C')
    enterLine('clear', DOCS)
    await shows('')
    enterLine('exit', DOCS)
    expect(shell.open).toBe(false)
    enterLine('', DOCS)
    await shows('command: exit\ncommand: ')
    clearLog()
    expect(sockets).toEqual([])
  })

  test('the panel does not show one user’s output to another', async () => {
    const socket = start('cat secrets')
    socket.say({ type: 'stdout', data: 'secret\n' })
    session.user = userOf({ id: 2 })
    await shows('')
    expect(commands.running).toBe('')
    expect(socket.readyState).toBe(3)
    expect(commandHistory()).toEqual([])
  })
})

describe('the history', () => {
  test('the history belongs to one user, without repetitions and lines that begin with a space', () => {
    for (const line of ['ls', 'ls', ' secret', '', 'pwd', 'ls']) rememberCommand(line)
    expect(commandHistory()).toEqual(['ls', 'pwd', 'ls'])
    session.user = userOf({ id: 2 })
    expect(commandHistory()).toEqual([])
  })

  test('the history keeps the newest lines', () => {
    for (let at = 0; at < ON_DEMAND_LIMITS.shellHistoryMax + 3; at += 1)
      rememberCommand(`echo ${at}`)
    expect(commandHistory()).toHaveLength(ON_DEMAND_LIMITS.shellHistoryMax)
    expect(commandHistory()[0]).toBe('echo 3')
  })

  test('the history ignores invalid stored data', () => {
    localStorage.setItem('filemgr.commands.1', '{"a":')
    expect(commandHistory()).toEqual([])
    localStorage.setItem('filemgr.commands.1', '["a",1]')
    expect(commandHistory()).toEqual(['a'])
  })
})
