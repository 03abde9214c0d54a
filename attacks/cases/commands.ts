/** Commands of users and event commands, on a server with commands enabled. */
import { rmSync } from 'node:fs'
import { assert, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { connect, runCommand } from '../socket.ts'

/** Arguments that enable commands. */
export const WITH_COMMANDS = ['--exec']

export const commandCases: AttackCase[] = [
  {
    id: 'G-68',
    attack: 'a WebSocket opened by another site',
    reason: 'a WebSocket is opened only for the server’s own origin',
    async run(fixture) {
      const upgrade = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        Cookie: `auth=${fixture.tokens.admin}`,
        Origin: 'https://evil.example',
      }
      refused(await fixture.raw('', 'GET', '/api/command/', '', upgrade), 'the socket', 403)
      const ownOrigin = { ...upgrade, Origin: fixture.url }
      const own = await fixture.raw('', 'GET', '/api/command/', '', ownOrigin)
      works(own, 'the socket of an own page', 101)
    },
  },
  {
    id: 'G-90',
    attack: 'running a program without the right to execute',
    reason: 'commands are off by default, and check the right and the list of programs each time',
    async run(fixture) {
      refused(await connect(fixture, 'alice'), 'a socket without the right', 403)
      const output = await runCommand(fixture, 'admin', 'touch pwn')
      assert(/not allowed/i.test(output), `the administrator was answered with ${output}`)
      nothingRan(fixture)
      assert(
        (await runCommand(fixture, await runner(fixture), 'cat own.txt')) ===
          fixture.mark('alice/own.txt'),
        'an allowed command does not run',
      )
    },
  },
  {
    id: 'G-91',
    attack: 'running programs that are not on the list',
    reason:
      'a line is split into arguments, the first must be exactly on the list, and no shell reads it',
    async run(fixture) {
      const who = await runner(fixture)
      try {
        for (const shell of [['sh', '-c'], []]) {
          works(await fixture.settings({ shell }), 'a shell')
          for (const line of [
            'catx own.txt',
            'cat own.txt; touch pwn',
            'cat $(touch pwn)',
            'cat `touch pwn`',
            'cat own.txt && touch pwn',
            'cat own.txt | tee pwn',
            'cat > pwn',
            '/bin/cat own.txt',
            'touch pwn',
          ]) {
            await runCommand(fixture, who, line)
            nothingRan(fixture)
          }
          const allowed = await runCommand(fixture, who, 'cat own.txt')
          assert(allowed === fixture.mark('alice/own.txt'), 'an allowed command does not run')
        }
      } finally {
        await fixture.settings({ shell: [] })
      }
      const output = await runCommand(fixture, who, 'cat ../bob/secret.txt /etc/passwd')
      assert(!output.includes('root:'), 'a command reads the machine')
      assert(!output.includes(fixture.mark('bob/secret.txt')), 'a command reads bob’s file')
    },
  },
  {
    id: 'G-92',
    attack: 'a file name with shell code, passed to an event command',
    reason:
      'names are passed in the environment and as whole arguments, never in a text that a shell reads',
    async run(fixture) {
      const names = [
        'a;touch pwn;.txt',
        '$(touch pwn).txt',
        '`touch pwn`.txt',
        '&& touch pwn #.txt',
      ]
      try {
        for (const [shell, line] of [
          [['sh', '-c'], 'echo $FILE >> heard'],
          [[], 'sh -c \'echo "$0" >> heard\' $FILE'],
        ] as const) {
          works(await fixture.settings({ shell, commands: { after_upload: [line] } }), 'the event')
          for (const name of names) {
            const target = `/api/resources/${encodeURIComponent(name)}?override=true`
            works(await fixture.call('alice', 'POST', target, 'x'), name)
          }
          nothingRan(fixture)
          const heard = fixture.read('alice/heard')
          for (const name of names) assert(heard.includes(name), `the command lacks ${name}`)
          rmSync(fixture.disk('alice/heard'))
        }
      } finally {
        await fixture.settings({ shell: [], commands: {} })
      }
    },
  },
]

/** A user who may run only `cat`. */
async function runner(fixture: Fixture): Promise<string> {
  if (!fixture.tokens.runner) {
    const perm = { execute: true, download: true, create: true }
    works(
      await fixture.addUser('runner', { scope: '/alice', perm, commands: ['cat'] }),
      'a user',
      201,
    )
    fixture.tokens.runner = works(await fixture.signIn('runner'), 'signing in').text
  }
  return 'runner'
}

/** No command of the attack may have run: it would create `pwn`, or change a file. */
function nothingRan(fixture: Fixture): void {
  for (const path of ['pwn', 'alice/pwn']) assert(!fixture.exists(path), 'a command ran')
  untouched(fixture, 'the attempt', 'alice/own.txt', 'bob/secret.txt')
}
