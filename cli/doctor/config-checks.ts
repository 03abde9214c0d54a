/** Checks settings, users and shares for excessive permissions. */

import type { Config } from '#server/config/config.ts'
import type { Core } from '#server/core.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export function configFindings({ settings, users, shares, config }: Core): Finding[] {
  const { signup, createUserDir, defaults } = settings.get()
  const people = users.list()
  const runners = people.filter(({ perm }) => perm.admin || perm.execute)
  const open = shares
    .listAll()
    .filter(({ passwordHash, expiresSec }) => !passwordHash && !expiresSec)
  const found: Finding[] = [
    people.some(({ perm }) => perm.admin)
      ? ok(
          `${count(people, 'account')}, ${count(
            people.filter(({ perm }) => perm.admin),
            'administrator',
          )}.`,
        )
      : problem('There is no administrator.', 'filemgr users add NAME --perm.admin'),
    ...networkFindings(config),
  ]
  if (signup) {
    const shared = !createUserDir && parsePath(defaults.scope) === ROOT
    found.push(
      shared
        ? problem(
            'Strangers may sign up and see everything.',
            'filemgr config set createUserDir true',
          )
        : warning(
            'Strangers may sign up.',
            'filemgr config set signup false, unless that is meant.',
          ),
    )
  }
  if (open.length > 0) {
    const links = count(open, 'public link')
    found.push(
      warning(
        `${links} with neither password nor end.`,
        'filemgr shares ls shows them, filemgr shares rm ends one.',
      ),
    )
  }
  if (config.flag('exec')) {
    const names = runners.map(({ username }) => username).join(', ') || 'nobody'
    found.push(
      warning(
        `Commands may be run by ${names}.`,
        'Take the right to execute from whoever does not need it.',
      ),
    )
    if (config.flag('execUnconfined')) {
      found.push(problem('Commands are not confined.', 'Start without --exec-unconfined.'))
    }
  }
  if (config.text('auth.method') === 'noauth') {
    found.push(
      problem(
        'Everybody who reaches this server is its first user.',
        'filemgr config set auth.method json',
      ),
    )
  }
  return found
}

function networkFindings(config: Config): Finding[] {
  const address = config.text('address')
  const alone = config.text('socket') !== '' || /^(127\.|::1$|localhost$)/.test(address)
  if (alone) return [ok('Only this machine reaches the server itself.')]
  if (config.text('cert')) return [ok('The server speaks https.')]
  return [
    warning(
      `The server speaks plain HTTP at ${address || 'every interface'}.`,
      'Use --cert and --key, or listen on 127.0.0.1 behind a proxy that speaks https.',
    ),
  ]
}

function count(things: readonly unknown[], name: string): string {
  return `${things.length} ${name}${things.length === 1 ? '' : 's'}`
}
