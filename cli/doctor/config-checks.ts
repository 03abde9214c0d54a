/** Checks settings, users and shares for excessive permissions. */

import type { Config } from '#server/config/config.ts'
import type { Core } from '#server/core.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export function configFindings({ settings, users, shares, config }: Core): Finding[] {
  const { signup, createUserDir, defaults } = settings.get()
  const all = users.list()
  const usersWithCommands = all.filter(({ perm }) => perm.admin || perm.execute)
  const openShares = shares
    .listAll()
    .filter(({ passwordHash, expiresSec }) => !passwordHash && !expiresSec)
  const findings: Finding[] = [
    all.some(({ perm }) => perm.admin)
      ? ok(
          `${count(all, 'account')}, ${count(
            all.filter(({ perm }) => perm.admin),
            'administrator',
          )}.`,
        )
      : problem('There is no administrator.', 'filemgr users add NAME --perm.admin'),
    ...networkFindings(config),
  ]
  if (signup) {
    const sharesRoot = !createUserDir && parsePath(defaults.scope) === ROOT
    findings.push(
      sharesRoot
        ? problem(
            'Anyone may create an account and see all files.',
            'filemgr config set createUserDir true',
          )
        : warning(
            'Anyone may create an account.',
            'filemgr config set signup false, unless that is meant.',
          ),
    )
  }
  if (openShares.length > 0) {
    const links = count(openShares, 'public link')
    findings.push(
      warning(
        `${links} with neither password nor end.`,
        'filemgr shares ls shows them, filemgr shares rm ends one.',
      ),
    )
  }
  if (config.flag('exec')) {
    const names = usersWithCommands.map(({ username }) => username).join(', ') || 'no user'
    findings.push(
      warning(
        `Commands may be run by ${names}.`,
        'Remove the right to execute from users who do not need it.',
      ),
    )
    if (config.flag('execUnconfined')) {
      findings.push(problem('Commands are not isolated.', 'Start without --exec-unconfined.'))
    }
  }
  if (config.text('auth.method') === 'noauth') {
    findings.push(
      problem(
        'Sign-in is off: everyone who can reach this server acts as its first user.',
        'filemgr config set auth.method json',
      ),
    )
  }
  return findings
}

function networkFindings(config: Config): Finding[] {
  const address = config.text('address')
  const isLocal = config.text('socket') !== '' || /^(127\.|::1$|localhost$)/.test(address)
  if (isLocal) return [ok('The server listens on this machine only.')]
  if (config.text('cert')) return [ok('The server uses HTTPS.')]
  return [
    warning(
      `The server uses plain HTTP on ${address || 'every interface'}.`,
      'Use --cert and --key, or listen on 127.0.0.1 behind a proxy that uses HTTPS.',
    ),
  ]
}

function count(items: readonly unknown[], name: string): string {
  return `${items.length} ${name}${items.length === 1 ? '' : 's'}`
}
