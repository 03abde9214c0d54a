import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { NOT_ALLOWED, SHELL_PROTOCOL } from '#wire/api/shell.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openShell, openSocket, say } from '../support/server/shell.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

setDefaultTimeout(30_000)

const EXECUTE = ['--perm.execute', '--commands', 'ls,sh,cat,echo,head,id,pwd']

let app: TestApp
/** Sees `/eve` and may execute. */
let eve: Client
/** Sees everything and may execute. */
let root: Client

beforeAll(async () => {
  app = await openTestApp({
    args: ['--exec', '--exec-timeout', '20s'],
    env: { OF_THE_SERVER: 'M_secret' },
  })
  mkdirSync(join(app.root, 'eve/sub'), { recursive: true })
  writeFileSync(join(app.root, 'eve/own.txt'), 'own\n')
  writeFileSync(join(app.root, 'anna/secret.txt'), 'M(anna)\n')
  eve = await app.person('eve', '--scope', '/eve', ...EXECUTE)
  root = await app.person('root', '--scope', '/', ...EXECUTE)
})

afterAll(() => app.stop())

const received = async (client: Client, line: string, folder?: string) =>
  (await say(client, app.url, line, folder)).lines
const script = (client: Client, text: string, folder?: string) =>
  received(client, `sh -c '${text.replaceAll("'", "'\\''")}'`, folder)

/** Requests a WebSocket as a browser would, and closes the connection. @returns the status */
function openRaw(headers: Record<string, string>, folder = '/'): Promise<number> {
  const { hostname, port, host } = new URL(app.url)
  const lines = Object.entries({
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.from('0123456789abcdef').toString('base64'),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', fail)
    socket.once('data', (data) => {
      socket.destroy()
      done(Number(String(data).split(' ')[1]))
    })
    socket.write(`GET ${API.command}${folder} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  })
}

/** Opens a socket of the framed protocol and reads nothing more from it. */
async function openWithoutReading() {
  const { hostname, port, host } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `GET ${API.command}/ HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${btoa('0123456789abcdef')}`,
    `Sec-WebSocket-Protocol: ${SHELL_PROTOCOL}`,
    `X-Auth: ${eve.token}`,
  ]
  socket.on('error', () => socket.destroy())
  const ended = new Promise<void>((done) => socket.on('close', () => done()))
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toStartWith('HTTP/1.1 101')
  socket.pause()
  return { socket, ended }
}

/** A text frame of a client, masked with zeros (RFC 6455, 5.2). */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}

describe('who may open a socket', () => {
  test('a WebSocket is refused without a session', async () => {
    expect(await openRaw({})).toBe(401)
    expect(await openRaw({ 'X-Auth': `${eve.token}x` })).toBe(401)
  })

  test('a WebSocket is refused without the right, before it is opened', async () => {
    for (const protocol of ['', SHELL_PROTOCOL]) {
      const headers = { 'X-Auth': app.anna.token, 'Sec-WebSocket-Protocol': protocol }
      expect(await openRaw(headers)).toBe(403)
    }
  })

  test('an administrator opens a socket, and has a list of programs like other users', async () => {
    expect(await received(app.admin, 'ls')).toEqual([NOT_ALLOWED])
  })

  test('a page of this site opens a socket with the cookie, and no page of another site does', async () => {
    const cookie = { Cookie: `auth=${eve.token}` }
    const { host, origin } = new URL(app.url)
    expect(await openRaw({ ...cookie, Origin: 'https://evil.example' })).toBe(403)
    expect(await openRaw({ ...cookie, Origin: 'null' })).toBe(403)
    expect(await openRaw({ ...cookie, Origin: `http://${host}.evil.example` })).toBe(403)
    expect(await openRaw({ ...cookie })).toBe(403)
    expect(await openRaw({ 'X-Auth': eve.token, Origin: 'https://evil.example' })).toBe(403)
    const socket = await openSocket(app.url, { ...cookie, Origin: origin })
    socket.close()
  })

  test('a WebSocket is refused for a denied or missing folder, and for a file', async () => {
    const token = { 'X-Auth': eve.token }
    expect(await openRaw(token, '/missing')).toBe(404)
    expect(await openRaw(token, '/own.txt')).toBe(409)
    expect(await openRaw({ 'X-Auth': root.token }, '/.filemgr')).toBe(403)
    expect(await openRaw(token, '/..%2fanna')).toBe(404)
    const answer = await eve.call('GET', API.command)
    expect(answer.status).toBe(400)
  })
})

describe('rules', () => {
  let ruled: Client
  beforeAll(async () => {
    mkdirSync(join(app.root, 'ruled/private'), { recursive: true })
    ruled = await app.person('ruled', '--scope', '/ruled', ...EXECUTE)
    await app.runCommand('rules', 'add', '/private', '--user', 'ruled')
    ruled = await signIn(app.url, 'ruled', PASSWORD)
  })

  test('a user to whom rules deny anything cannot run commands', async () => {
    expect(await openRaw({ 'X-Auth': ruled.token }, '/private')).toBe(403)
    expect(await received(ruled, 'ls')).toEqual([
      expect.stringContaining('commands do not follow rules'),
    ])
  })
})

describe('the plain protocol', () => {
  test('the plain protocol sends the lines of the output, then those of the errors, and closes @spec-7.47', async () => {
    expect(await say(eve, app.url, 'sh -c "echo e >&2; echo a; printf b"')).toEqual({
      lines: ['a', 'b', 'e'],
      closeCode: 1000,
    })
  })

  test('the plain protocol runs a command in the folder of the address', async () => {
    expect(await received(eve, 'pwd', '/sub')).toEqual([join(app.root, 'eve/sub')])
    expect(await received(eve, 'ls', '/')).toEqual(['own.txt', 'sub'])
  })

  test('the plain protocol reads no message after the first that is not blank', async () => {
    const socket = await openSocket(app.url, { 'X-Auth': eve.token })
    const lines: unknown[] = []
    socket.onmessage = ({ data }) => lines.push(data)
    const closed = new Promise((done) => {
      socket.onclose = done
    })
    for (const line of ['', '  \n', 'echo one', 'echo two']) socket.send(line)
    await closed
    expect(lines).toEqual(['one'])
  })

  test('the plain protocol explains an invalid line', async () => {
    expect(await received(eve, "echo 'a")).toEqual([expect.stringContaining('not closed')])
  })

  test('the plain protocol splits a long line and sends all of it', async () => {
    const lines = await script(eve, 'head -c 100000 /dev/zero | tr "\\000" x')
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('')).toBe('x'.repeat(100_000))
  })

  test('the plain protocol refuses a message over 64 KiB @limit-36', async () => {
    expect((await say(eve, app.url, `echo ${'x'.repeat(70_000)}`)).lines).toEqual([])
    expect((await say(eve, app.url, `echo ${'x'.repeat(10_000)}`)).lines.join('')).toHaveLength(
      10_000,
    )
  })
})

describe('the list of programs (G-91)', () => {
  const lines = ['lsx', 'ls; touch pwn', 'ls $(touch pwn)', 'ls`touch pwn`', '/bin/ls', 'touch pwn']
  test.each([[[]], [['sh', '-c']]])(
    'the list of programs applies with the shell %j',
    async (shell) => {
      const settings = await (await app.admin.call('GET', API.settings)).json()
      await app.admin.call('PUT', API.settings, { ...settings, shell })
      for (const line of lines) await received(eve, line)
      await received(eve, 'ls own.txt | sh -c "touch pwn"')
      expect(existsSync(join(app.root, 'eve/pwn'))).toBe(false)
      expect(await received(eve, 'ls own.txt')).toEqual(['own.txt'])
      expect(await received(eve, 'ls "own.txt"')).toEqual(['own.txt'])
    },
  )
})

describe('the jail', () => {
  test('the jail lets a program read and write in its scope', async () => {
    await script(
      eve,
      'cat own.txt > copy.txt; mkdir d; mv copy.txt d/x; chmod 600 d/x; ln -s x d/l',
    )
    expect(readFileSync(join(app.root, 'eve/d/l'), 'utf8')).toBe('own\n')
    expect(await received(eve, 'cat d/l')).toEqual(['own'])
    expect((await eve.call('GET', `${API.raw}/d/x`)).status).toBe(200)
  })

  test('the jail shows only the scope @spec-7.47', async () => {
    const outside = [
      '/etc/passwd',
      '/etc/shadow',
      join(app.root, 'anna/secret.txt'),
      '../anna/secret.txt',
      app.database,
      '/proc/self/environ',
      '/proc/1/environ',
      `/root`,
      '/tmp',
      '/',
    ]
    for (const path of outside) {
      const lines = await script(
        eve,
        `cat "${path}" 2>/dev/null; ls -A "${path}" 2>/dev/null; true`,
      )
      expect([path, lines]).toEqual([path, []])
    }
  })

  test('the jail does not follow links out of the scope', async () => {
    symlinkSync('../anna', join(app.root, 'eve/out'))
    symlinkSync('/etc', join(app.root, 'eve/etc'))
    const lines = await script(eve, 'cat out/secret.txt etc/passwd 2>/dev/null; ls etc/ out/ 2>&-')
    expect(lines.join()).not.toMatch(/M\(anna\)|root:|secret/)
  })

  test('the jail allows no change outside the scope', async () => {
    const anna = join(app.root, 'anna/secret.txt')
    await script(eve, `echo x > ${anna}; rm -rf ${dirname(anna)}; touch ${app.root}/pwn /tmp/pwn`)
    await script(eve, `chmod 777 ${anna} ${app.database}; mv own.txt ../moved; ln ${anna} hard`)
    expect(readFileSync(anna, 'utf8')).toBe('M(anna)\n')
    expect(existsSync(join(app.root, 'pwn')) || existsSync('/tmp/pwn')).toBe(false)
    expect(existsSync(join(app.root, 'eve/hard'))).toBe(false)
    expect(existsSync(join(app.root, 'eve/own.txt'))).toBe(true)
  })

  test('the jail hides the private folder, also from a user of the whole tree, and it cannot be moved', async () => {
    expect(await received(root, 'ls')).toEqual(expect.arrayContaining(['anna', 'eve']))
    expect(await received(root, 'ls -A .filemgr')).toEqual([])
    await script(root, 'touch .filemgr/pwn; mv .filemgr moved; rm -rf .filemgr; touch here')
    expect(existsSync(join(app.root, '.filemgr/uploads'))).toBe(true)
    expect(existsSync(join(app.root, 'here'))).toBe(true)
  })

  test('the jail has no environment variables of the server', async () => {
    const names = (await script(eve, 'env')).map((line) => line.split('=')[0])
    expect(names.sort()).toEqual(['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR'])
    expect(await script(eve, 'touch "$TMPDIR/x" && ls "$TMPDIR"')).toEqual(['x'])
    expect(existsSync(join(app.root, 'eve/x'))).toBe(false)
  })

  test('the jail has no network', async () => {
    const { port } = new URL(app.url)
    const perl = (code: string) => script(eve, `perl -MIO::Socket -e '${code}'`)
    const tcp = `print IO::Socket::INET->new("127.0.0.1:${port}") ? "open" : "shut"`
    expect(await perl(tcp)).toEqual(['shut'])
    expect(await perl('print IO::Socket::INET->new(Proto => "udp") ? "open" : "shut"')).toEqual([
      'shut',
    ])
    expect(
      await perl('use Socket; print socket(S, PF_UNIX, SOCK_STREAM, 0) ? "open" : "shut"'),
    ).toEqual(['shut'])
    expect(
      await perl('use Socket; print socketpair(A, B, PF_UNIX, SOCK_STREAM, 0) ? "pair" : "shut"'),
    ).toEqual(['pair'])
  })

  test('the jail does not execute programs that users uploaded', async () => {
    writeFileSync(join(app.root, 'eve/own.sh'), '#!/bin/sh\necho ran\n', { mode: 0o755 })
    expect((await script(eve, './own.sh')).join()).not.toContain('ran\n')
    expect(await script(eve, 'sh own.sh')).toEqual(['ran'])
  })
})

describe('limits', () => {
  const alive = async (marker: string) =>
    (await Bun.$`ps -eo args`.text()).split('\n').filter((line) => line.includes(marker)).length

  test('a program that starts child processes without limit is stopped', async () => {
    const lines = await script(eve, 'f() { f | f & f; }; f')
    // The last line may be incomplete: its process was stopped while it wrote.
    expect(lines.join(' ')).toMatch(/too many processes|Cannot fork|time/i)
    expect(await received(eve, 'echo well')).toEqual(['well'])
  })

  test('a program that needs too much memory, alone or with its children, is stopped', async () => {
    const filled = (bytes: string) => `perl -e "\\$n = ${bytes}; \\$x = q(x) x \\$n; sleep 1"`
    expect(await script(eve, `${filled('2e9')} 2>&1 || echo refused`)).toContain('refused')
    const four = Array.from({ length: 4 }, () => `${filled('2e8')} &`).join(' ')
    expect((await script(eve, `${four} wait`)).at(-1)).toContain('too much memory')
    expect(await script(eve, `${filled('2e7')} && echo well`)).toEqual(['well'])
  })

  test('a program that writes without end is stopped', async () => {
    const spoken = await say(eve, app.url, 'cat /dev/zero')
    expect(spoken.lines.at(-1)).toContain('wrote more')
    expect(spoken.lines.join('').length).toBeLessThan(11 * 1024 * 1024)
  })

  test('the processes that a program leaves behind end with it', async () => {
    await script(eve, 'sleep 4242 & exit 0')
    expect(await alive('sleep 4242')).toBe(0)
  })

  test('every process of a command ends when the client closes the socket @spec-7.47', async () => {
    const shell = await openShell(eve, app.url)
    shell.send({
      type: 'run',
      line: 'sh -c "setsid sleep 4343 & (sleep 4343 &) ; trap true TERM; echo on; while true; do sleep 4343; done"',
    })
    await shell.shows(/on/)
    expect(await alive('sleep 4343')).toBeGreaterThan(0)
    shell.close()
    await shell.closed
    await gone(() => alive('sleep 4343'))
  })

  test('a user has a limited number of sockets @limit-19', async () => {
    const many = await app.person('many', '--scope', '/eve', ...EXECUTE)
    const sockets = await Promise.all(
      Array.from({ length: 8 }, () => openSocket(app.url, { 'X-Auth': many.token })),
    )
    expect(await openRaw({ 'X-Auth': many.token })).toBe(429)
    expect(await received(eve, 'echo well')).toEqual(['well'])
    const [first] = sockets
    const closed = new Promise((done) => first?.addEventListener('close', done))
    first?.close()
    await closed
    expect(await received(many, 'echo well')).toEqual(['well'])
    for (const socket of sockets) socket.close()
  })
})

describe('a socket', () => {
  test('the queued input of a program that does not read is limited @limit-38', async () => {
    const shell = await openShell(eve, app.url)
    shell.send({ type: 'run', line: 'sh -c "echo on; sleep 20"' })
    await shell.shows(/on/)
    // More than the system holds by itself; the pieces after it wait.
    for (let sent = 0; sent < 6; sent += 1) {
      shell.send({ type: 'input', data: 'x'.repeat(60_000) })
    }
    for (let sent = 0; sent < 4096; sent += 1) shell.send({ type: 'input', data: 'y' })
    await shell.until((reply) => reply.type === 'error' && /does not read/.test(reply.message))
    shell.close()
    await shell.closed
  })

  test('a socket ends when its client does not read its answers @limit-39', async () => {
    const { socket, ended } = await openWithoutReading()
    // Each of these messages gets an error as response.
    const wrong = frame('x'.repeat(100))
    const many = Buffer.concat(Array.from({ length: 1000 }, () => wrong))
    // A client that does not read notices the end when it writes.
    while (!socket.destroyed) {
      if (!socket.write(many))
        await Promise.race([ended, new Promise((done) => socket.once('drain', done))])
    }
    await ended
    expect(await received(eve, 'echo well')).toEqual(['well'])
  })

  test('an idle WebSocket without a running program is closed @limit-40', async () => {
    const quiet = await openTestApp({ args: ['--exec', '--exec-timeout', '1s'] })
    const person = await quiet.person('eve', ...EXECUTE)
    const headers = { 'X-Auth': person.token }
    const plain = await openSocket(quiet.url, headers)
    const framed = await openSocket(quiet.url, {
      ...headers,
      'Sec-WebSocket-Protocol': SHELL_PROTOCOL,
    })
    await Promise.all(
      [plain, framed].map(
        (socket) => new Promise((done) => socket.addEventListener('close', done)),
      ),
    )
    await quiet.stop()
  })
})

describe('a session that ends', () => {
  test('a session that ends closes its sockets and stops their programs', async () => {
    const passing = await app.person('passing', '--scope', '/eve', ...EXECUTE)
    const shell = await openShell(passing, app.url)
    shell.send({ type: 'run', line: 'cat' })
    shell.send({ type: 'input', data: 'here\n' })
    await shell.shows(/here/)
    await passing.call('POST', API.logout)
    await shell.closed
    expect(await openRaw({ 'X-Auth': passing.token })).toBe(401)
  })

  // The right is checked when the socket opens, at each line, and when the folder is opened for a program.
  test('a right that is removed is lost for open sockets at once', async () => {
    const socket = await openSocket(app.url, { 'X-Auth': eve.token })
    const answers: unknown[] = []
    socket.onmessage = ({ data }) => answers.push(data)
    const closed = new Promise((done) => {
      socket.onclose = done
    })
    await app.runCommand('users', 'update', 'eve', '--perm.execute=false')
    socket.send('echo still')
    await closed
    expect(answers).not.toContain('still')
    await app.runCommand('users', 'update', 'eve', '--perm.execute=true')
    eve = await signIn(app.url, 'eve', PASSWORD)
    expect(await received(eve, 'echo still')).toEqual(['still'])
  })
})

describe('the framed protocol', () => {
  test('the framed protocol separates output from errors, and reports the exit code @spec-7.47', async () => {
    const shell = await openShell(eve, app.url)
    shell.send({ type: 'run', line: 'sh -c "echo a; echo b >&2; exit 3"' })
    expect(await shell.ended).toEqual({ type: 'exit', code: 3 })
    expect(await shell.until((reply) => reply.type === 'stdout')).toHaveProperty('data', 'a\n')
    expect(await shell.until((reply) => reply.type === 'stderr')).toHaveProperty('data', 'b\n')
    shell.close()
  })

  test('the framed protocol runs one program at a time', async () => {
    const shell = await openShell(eve, app.url)
    shell.send({ type: 'run', line: 'cat' })
    shell.send({ type: 'run', line: 'echo no' })
    await shell.until((reply) => reply.type === 'error' && /already/.test(reply.message))
    shell.send({ type: 'input', data: 'typed' })
    shell.send({ type: 'end' })
    expect(await shell.ended).toEqual({ type: 'exit', code: 0 })
    shell.send({ type: 'run', line: 'echo yes' })
    await shell.shows(/typedyes/)
    shell.close()
  })

  test('the framed protocol limits the input that a program does not read', async () => {
    const shell = await openShell(eve, app.url)
    for (const terminal of [false, true]) {
      shell.send({ type: 'run', line: 'sh -c "stty raw 2>&1; echo ready; sleep 20"', terminal })
      await shell.shows(terminal ? /ready[\s\S]*ready/ : /ready/)
      for (let sent = 0; sent < 40; sent += 1) {
        shell.send({ type: 'input', data: 'x'.repeat(60_000) })
      }
      await shell.until((reply) => reply.type === 'error' && /does not read/.test(reply.message))
      shell.send({ type: 'signal', signal: 'KILL' })
      await shell.ended
    }
    shell.close()
  })

  test('the framed protocol sends signals', async () => {
    const shell = await openShell(eve, app.url)
    shell.send({ type: 'run', line: 'cat' })
    shell.send({ type: 'input', data: 'on' })
    await shell.shows(/on/)
    shell.send({ type: 'signal', signal: 'INT' })
    expect(await shell.ended).toEqual({ type: 'exit', code: 130, signal: 'SIGINT' })
    shell.close()
  })

  test.each(['lsx', 'ls; id'])('the framed protocol refuses %j and continues', async (line) => {
    const shell = await openShell(eve, app.url)
    for (const terminal of [false, true]) {
      shell.send({ type: 'run', line, terminal })
    }
    await shell.until((reply) => reply.type === 'error' && reply.message === NOT_ALLOWED)
    shell.send('{"type":"fly"}')
    shell.send('no JSON')
    await shell.until(
      (reply) => reply.type === 'error' && /does not understand/.test(reply.message),
    )
    shell.send({ type: 'run', line: 'echo well' })
    await shell.shows(/well/)
    shell.close()
  })
})

describe('a terminal', () => {
  test('a terminal has a size that changes, and passes on what a user types', async () => {
    const shell = await openShell(eve, app.url, '/sub')
    shell.send({ type: 'run', line: 'sh', terminal: true, cols: 91, rows: 33 })
    shell.send({ type: 'input', data: 'stty size; pwd\r' })
    await shell.shows(/33 91\r\n.*\/eve\/sub\r\n/)
    shell.send({ type: 'resize', cols: 50, rows: 20 })
    shell.send({ type: 'input', data: 'stty size\r' })
    await shell.shows(/20 50/)
    shell.send({ type: 'input', data: 'cat\rtyped\r' })
    await shell.shows(/typed\r\n[\s\S]*typed\r\n/)
    shell.send({ type: 'input', data: '\x03' })
    await shell.shows(/\^C\r\n[#$] /)
    shell.send({ type: 'input', data: 'echo a"fter"; exit 4\r' })
    await shell.shows(/after/)
    expect(await shell.ended).toEqual({ type: 'exit', code: 4 })
    shell.close()
  })

  test('a terminal is jailed like every other command', async () => {
    const shell = await openShell(eve, app.url)
    shell.send({ type: 'run', line: 'sh', terminal: true })
    const words = `cat /etc/passwd ../anna/secret.txt; echo x > ../pwn; echo d"one"\r`
    shell.send({ type: 'input', data: words })
    await shell.shows(/done/)
    expect(shell.text()).not.toMatch(/root:|M\(anna\)/)
    expect(existsSync(join(app.root, 'pwn'))).toBe(false)
    shell.close()
  })

  test('a terminal starts the administrator’s shell when it is on the list', async () => {
    const settings = await (await app.admin.call('GET', API.settings)).json()
    await app.admin.call('PUT', API.settings, { ...settings, shell: ['sh', '-c'] })
    const shell = await openShell(eve, app.url)
    shell.send({ type: 'run', line: '', terminal: true })
    shell.send({ type: 'input', data: 'echo h"ere"\r' })
    await shell.shows(/here/)
    shell.close()
    const few = await app.person('few', '--perm.execute', '--commands', 'ls')
    const other = await openShell(few, app.url)
    other.send({ type: 'run', line: '', terminal: true })
    await other.until((reply) => reply.type === 'error' && reply.message === NOT_ALLOWED)
    other.close()
  })
})

describe('the page', () => {
  const settingsOf = async (url: string) =>
    (await (await anonymous(url).call('GET', '/login')).text()).includes('"EnableExec":true')

  test('the page contains whether commands are enabled', async () => {
    expect(await settingsOf(app.url)).toBe(true)
  })

  test('without --exec the page says that commands are disabled, and none runs (G-90)', async () => {
    const plain = await openTestApp()
    const person = await plain.person('eve', ...EXECUTE)
    expect(await settingsOf(plain.url)).toBe(false)
    const answer = await person.call('GET', `${API.command}/`)
    expect([answer.status, await answer.text()]).toEqual([403, `${NOT_ALLOWED}\n`])
    await plain.stop()
  })
})

test('commands run without isolation only with --exec-unconfined, and the server reports it', async () => {
  const open = await openTestApp({ args: ['--exec', '--exec-unconfined'] })
  const person = await open.person('eve', '--scope', '/anna', ...EXECUTE)
  writeFileSync(join(open.root, 'outside'), 'outside\n')
  expect((await say(person, open.url, 'cat ../outside')).lines).toEqual(['outside'])
  expect((await say(person, open.url, 'lsx')).lines).toEqual([NOT_ALLOWED])
  await open.server.says(/not isolated/)
  await open.stop()
})

describe('the database in the served tree', () => {
  test('commands cannot read a database below the root, nor move a folder that contains it', async () => {
    const folder = temporaryFolder()
    const deep = join(folder.path, 'a/b')
    mkdirSync(deep, { recursive: true })
    const own = await serverWith(folder.path, join(deep, 'f.db'))
    expect(await own.script('ls a')).toEqual(['b'])
    expect(await own.script('ls -A a/b; cat a/b/* 2>/dev/null; true')).toEqual([])
    await own.script('mv a c; mv a/b a/c; rm -rf a; touch a/b/f.db-journal; touch a/beside')
    expect(readdirSync(deep)).not.toContain('f.db-journal')
    expect(readdirSync(join(folder.path, 'a')).sort()).toEqual(['b', 'beside'])
    await own.server.stop()
    folder.remove()
  })

  test('commands are disabled if the database is directly in the root', async () => {
    const folder = temporaryFolder()
    const own = await serverWith(folder.path, join(folder.path, 'f.db'))
    expect(await own.script('ls')).toEqual([
      expect.stringContaining('contains files of the server'),
    ])
    await own.server.stop()
    folder.remove()
  })

  async function serverWith(root: string, database: string) {
    const server = await startServer({ root, database, args: ['--exec'] })
    const words = ['users', 'add', 'eve', PASSWORD, ...EXECUTE, '--database', database]
    await runFilemgr(words, { home: root })
    const person = await signIn(server.url, 'eve', PASSWORD)
    const script = async (text: string) => (await say(person, server.url, `sh -c '${text}'`)).lines
    return { server, script }
  }
})

test('a server that stops ends all running commands', async () => {
  const ending = await openTestApp({ args: ['--exec'] })
  const person = await ending.person('eve', ...EXECUTE)
  const shell = await openShell(person, ending.url)
  shell.send({ type: 'run', line: 'sh', terminal: true })
  shell.send({ type: 'input', data: 'sleep 4444 & echo o"n"\r' })
  await shell.shows(/on/)
  await ending.stop()
  expect((await Bun.$`ps -eo args`.text()).includes('sleep 4444')).toBe(false)
})

/** Waits until a count is zero. The time limit of the test ends a wait without success. */
async function gone(count: () => Promise<number>): Promise<void> {
  while ((await count()) > 0);
}
