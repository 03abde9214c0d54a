/** Commands that attack the server and the machine, with a limit of few processes. */
import { statSync } from 'node:fs'
import { assert, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { connect, runCommand } from '../socket.ts'

/** Arguments for a server that allows few processes. */
export const WITH_FEW_PROCESSES = ['--exec', '--exec-processes', '20']

/** S_ISUID and S_ISGID. */
const SET_IDS = 0o6000

export const jailCases: AttackCase[] = [
  {
    id: 'G-160',
    attack: 'a command that signals, slows or limits the server',
    reason: 'a command can signal only its own processes, and change only its own limits',
    async run(fixture) {
      const who = await runner(fixture)
      const reached = await run(fixture, who, `kill -0 ${fixture.pid} && echo reached; true`)
      assert(!/^reached$/m.test(reached), 'a command reaches the server')
      await run(
        fixture,
        who,
        `renice -n 19 -p ${fixture.pid}; prlimit --pid ${fixture.pid} --nofile=3:3`,
      )
      works(await fixture.call('alice', 'GET', '/api/resources/own.txt'), 'the server')
      const own = await run(fixture, who, 'sleep 5 & kill $! && ulimit -n 100 && ulimit -n')
      assert(own.includes('100'), 'a command cannot signal its own processes, or limit itself')
    },
  },
  {
    id: 'G-161',
    attack: 'creating a setuid file',
    reason: 'every system call that would set these bits is refused to a command',
    async run(fixture) {
      const who = await runner(fixture)
      await run(fixture, who, 'chmod 4755 own.txt; chmod u+s,g+s own.txt; mkdir -m 2755 made')
      await run(fixture, who, 'cp own.txt copy; install -m 4755 own.txt installed; chmod g+s copy')
      for (const name of fixture.names('alice')) {
        const { mode } = statSync(fixture.disk('alice', name), { throwIfNoEntry: false }) ?? {
          mode: 0,
        }
        assert((mode & SET_IDS) === 0, `${name} is setuid or setgid`)
      }
      untouched(fixture, 'the attempt', 'alice/own.txt')
      await run(fixture, who, 'mkdir plain')
      assert(fixture.exists('alice/plain'), 'a folder cannot be made')
    },
  },
  {
    id: 'G-162',
    attack: 'a fork bomb',
    reason: 'the kernel counts the processes of a command, and a watchdog ends it',
    async run(fixture) {
      const who = await runner(fixture)
      const script = 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo started; wait'
      assert(!/^started$/m.test(await run(fixture, who, script)), 'sixty processes were started')
      assert((await run(fixture, who, 'echo well')) === 'well', 'no command runs any more')
    },
  },
  {
    id: 'G-163',
    attack: 'more command WebSockets than a user may have',
    reason: 'WebSockets check the right and are counted before they are opened',
    async run(fixture) {
      const who = await runner(fixture)
      refused(await connect(fixture, 'alice'), 'a socket without the right', 403)
      const sockets = await Promise.all(Array.from({ length: 8 }, () => open(fixture, who)))
      try {
        refused(await connect(fixture, who), 'the ninth socket', 429)
      } finally {
        await Promise.all(sockets.map(close))
      }
      assert((await run(fixture, who, 'echo well')) === 'well', 'no socket opens any more')
    },
  },
]

/** A user who may run a shell, in the folder of alice. */
async function runner(fixture: Fixture): Promise<string> {
  if (!fixture.tokens.sheller) {
    const perm = { execute: true, download: true, create: true }
    const data = { scope: '/alice', perm, commands: ['sh'] }
    works(await fixture.addUser('sheller', data), 'a user', 201)
    fixture.tokens.sheller = works(await fixture.signIn('sheller'), 'signing in').text
  }
  return 'sheller'
}

const run = (fixture: Fixture, who: string, script: string) =>
  runCommand(fixture, who, `sh -c '${script.replaceAll("'", "'\\''")}'`)

function open(fixture: Fixture, who: string): Promise<WebSocket> {
  const headers = { 'X-Auth': fixture.tokens[who] ?? '' }
  const socket = new WebSocket(`${fixture.url.replace('http', 'ws')}/api/command/`, {
    headers,
  } as object as string[])
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket)
    socket.onerror = () => reject(new Error('the socket was refused'))
  })
}

function close(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.onclose = () => resolve()
    socket.close()
  })
}
