/** J. Commands and the commands of events. Played on a server that was asked for them. */
import type { Case } from '../case.ts'
import { must, refused, untouched, works } from '../claims.ts'
import { knock, say } from '../socket.ts'
import type { World } from '../world.ts'

/** Words of a server that runs commands at all. */
export const WITH_COMMANDS = ['--exec']

export const commandCases: Case[] = [
  {
    id: 'G-90',
    attack: 'running a program without the right to',
    because:
      'commands are off until the operator says otherwise, and ask for the right and the list each time',
    async run(world) {
      refused(await knock(world, 'alice'), 'a socket without the right', 403)
      const said = await say(world, 'admin', 'touch pwn')
      must(/not allowed/i.test(said), `the administrator was answered with ${said}`)
      nothingRan(world)
      must(
        (await say(world, await runner(world), 'cat own.txt')) === world.mark('alice/own.txt'),
        'what is allowed does not run',
      )
    },
  },
  {
    id: 'G-91',
    attack: 'more than the list allows',
    because:
      'a line becomes words, the first must be on the list letter by letter, and no shell reads it',
    async run(world) {
      const who = await runner(world)
      for (const shell of [[], ['sh', '-c']]) {
        works(await world.settings({ shell }), 'a shell')
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
          await say(world, who, line)
          nothingRan(world)
        }
      }
      works(await world.settings({ shell: [] }), 'no shell')
      must(
        (await say(world, who, 'cat own.txt')) === world.mark('alice/own.txt'),
        'what is allowed does not run',
      )
      must(
        !(await say(world, who, 'cat ../bob/secret.txt /etc/passwd')).includes('root:'),
        'a command reads the machine',
      )
    },
  },
  {
    id: 'G-92',
    attack: 'a file whose name is a command, under the commands of an event',
    because:
      'names travel in the environment and as whole arguments, never in a text that a shell reads',
    async run(world) {
      const names = [
        'a;touch pwn;.txt',
        '$(touch pwn).txt',
        '`touch pwn`.txt',
        '&& touch pwn #.txt',
      ]
      for (const [shell, line] of [
        [['sh', '-c'], 'echo $FILE >> heard'],
        [[], 'sh -c \'echo "$0" >> heard\' $FILE'],
      ] as const) {
        works(await world.settings({ shell, commands: { after_upload: [line] } }), 'the event')
        for (const name of names) {
          const target = `/api/resources/${encodeURIComponent(name)}?override=true`
          works(await world.call('alice', 'POST', target, 'x'), name)
        }
        nothingRan(world)
        must(world.exists('alice/heard'), 'the command of the event did not run')
      }
      works(await world.settings({ shell: [], commands: {} }), 'taking it back')
    },
  },
]

/** Somebody who may run `cat`, and nothing else. */
async function runner(world: World): Promise<string> {
  if (!world.tokens.runner) {
    const perm = { execute: true, download: true, create: true }
    works(
      await world.addUser('runner', { scope: '/alice', perm, commands: ['cat'] }),
      'a user',
      201,
    )
    world.tokens.runner = works(await world.signIn('runner'), 'signing in').text
  }
  return 'runner'
}

function nothingRan(world: World): void {
  for (const place of ['pwn', 'alice/pwn']) must(!world.exists(place), 'a command ran')
  untouched(world, 'the attempt', 'alice/own.txt', 'bob/secret.txt')
}
