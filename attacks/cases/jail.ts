/** Commands that attack the server and the machine, with a limit of few processes. */
import { readFileSync, statSync } from 'node:fs'
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
      const before = statusOf(fixture.pid)
      const reached = await run(fixture, who, `kill -0 ${fixture.pid} && echo reached; true`)
      assert(!/^reached$/m.test(reached), 'a command reaches the server')
      // The shell needs no other program for this. The system calls are tested in test/server/shell.
      await run(fixture, who, `echo 19 > /proc/${fixture.pid}/oom_score_adj`)
      // The machine may lack these programs.
      await run(fixture, who, `renice -n 19 -p ${fixture.pid}`)
      await run(fixture, who, `prlimit --pid ${fixture.pid} --nofile=3:3`)
      assert(statusOf(fixture.pid) === before, 'a command changed the priority or limits')
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
      await run(fixture, who, 'mkdir plain && chmod 711 plain')
      assert(fixture.exists('alice/plain'), 'a folder cannot be made')
      const { mode } = statSync(fixture.disk('alice/plain'))
      assert((mode & 0o7777) === 0o711, 'other bits cannot be set')
    },
  },
  {
    id: 'G-162',
    attack: 'a fork bomb',
    reason: 'the kernel counts the processes of a command, and a watchdog ends it',
    async run(fixture) {
      const who = await runner(fixture)
      const start = (count: number, seconds: number) =>
        run(
          fixture,
          who,
          `i=0; while [ $i -lt ${count} ]; do sleep ${seconds} & i=$((i+1)); done; echo started; wait`,
        )
      assert(!/^started$/m.test(await start(60, 5)), 'sixty processes were started')
      assert((await start(5, 0)) === 'started', 'five processes cannot be started afterwards')
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

/** The priority of a process and its limits, as the kernel reports them. */
function statusOf(pid: number): string {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  // The name of the program is in parentheses, and may contain spaces. The priority is the 16th field after it.
  const stat = read('stat')
  const [priority, niceness] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(15, 17)
  return [priority, niceness, read('oom_score_adj'), read('limits')].join('\n')
}

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
