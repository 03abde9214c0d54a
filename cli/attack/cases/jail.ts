/** L. Commands that turn against the server and the machine. Played with a small bound on processes. */
import { statSync } from 'node:fs'
import type { Case } from '../case.ts'
import { must, refused, untouched, works } from '../claims.ts'
import { knock, say } from '../socket.ts'
import type { World } from '../world.ts'

/** Words of a server whose commands may be few processes. */
export const WITH_FEW_PROCESSES = ['--exec', '--exec-processes', '20']

const SET_IDS = 0o6000

export const jailCases: Case[] = [
  {
    id: 'G-160',
    attack: 'a command that signals, slows or limits the server',
    because:
      'a command has processes of its own, signals stay among them, and limits are changed of the caller alone',
    async run(world) {
      const who = await runner(world)
      const reached = await run(world, who, `kill -0 ${world.pid} && echo reached; true`)
      must(!/^reached$/m.test(reached), 'a command reaches the server')
      await run(world, who, `renice -n 19 -p ${world.pid}; prlimit --pid ${world.pid} --nofile=3:3`)
      works(await world.call('alice', 'GET', '/api/resources/own.txt'), 'the server')
      const own = await run(world, who, 'sleep 5 & kill $! && ulimit -n 100 && ulimit -n')
      must(own.includes('100'), 'a command cannot end what it started, or limit itself')
    },
  },
  {
    id: 'G-161',
    attack: 'a file that gives its owner’s rights to whoever runs it',
    because: 'no call of a command sets the bits for it, whichever takes a mode',
    async run(world) {
      const who = await runner(world)
      await run(world, who, 'chmod 4755 own.txt; chmod u+s,g+s own.txt; mkdir -m 2755 made')
      await run(world, who, 'cp own.txt copy; install -m 4755 own.txt installed; chmod g+s copy')
      for (const name of world.names('alice')) {
        const { mode } = statSync(world.disk('alice', name), { throwIfNoEntry: false }) ?? {
          mode: 0,
        }
        must((mode & SET_IDS) === 0, `${name} has such a bit`)
      }
      untouched(world, 'the attempt', 'alice/own.txt')
      await run(world, who, 'mkdir plain')
      must(world.exists('alice/plain'), 'a folder cannot be made')
    },
  },
  {
    id: 'G-162',
    attack: 'children without end',
    because: 'the kernel counts the processes of a command, and a watchdog ends it',
    async run(world) {
      const who = await runner(world)
      const bear = 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo born; wait'
      must(!/^born$/m.test(await run(world, who, bear)), 'sixty children were born')
      must((await run(world, who, 'echo well')) === 'well', 'no command runs any more')
    },
  },
  {
    id: 'G-163',
    attack: 'more command sockets than one may have',
    because: 'sockets are counted before they are opened, and ask for the right first',
    async run(world) {
      const who = await runner(world)
      refused(await knock(world, 'alice'), 'a socket without the right', 403)
      const held = await Promise.all(Array.from({ length: 8 }, () => open(world, who)))
      try {
        refused(await knock(world, who), 'the ninth socket', 429)
      } finally {
        await Promise.all(held.map(close))
      }
      must((await run(world, who, 'echo well')) === 'well', 'no socket opens any more')
    },
  },
]

/** Somebody who may run a shell, in the folder of alice. */
async function runner(world: World): Promise<string> {
  if (!world.tokens.sheller) {
    const perm = { execute: true, download: true, create: true }
    const data = { scope: '/alice', perm, commands: ['sh'] }
    works(await world.addUser('sheller', data), 'a user', 201)
    world.tokens.sheller = works(await world.signIn('sheller'), 'signing in').text
  }
  return 'sheller'
}

const run = (world: World, who: string, script: string) =>
  say(world, who, `sh -c '${script.replaceAll("'", "'\\''")}'`)

function open(world: World, who: string): Promise<WebSocket> {
  const headers = { 'X-Auth': world.tokens[who] ?? '' }
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/api/command/`, {
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
