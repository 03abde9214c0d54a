/** Checks settings, users and shares for excessive permissions. */

import { ownCommand } from '#server/config/own-command.ts'
import type { Core } from '#server/core.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export async function configFindings(core: Core): Promise<Finding[]> {
  return [
    await administratorFinding(core),
    ...networkFindings(core),
    ...signUpFindings(core),
    ...(await shareFindings(core)),
    ...(await commandFindings(core)),
    ...noSignInFindings(core),
  ]
}

async function administratorFinding(core: Core): Promise<Finding> {
  const users = await core.users.list()
  const administrators = users.filter(({ perm }) => perm.admin)
  if (administrators.length === 0) {
    return problem(
      'There is no administrator.',
      ownCommand(core.config, ['users', 'add', 'NAME', '--perm.admin']),
    )
  }
  return ok(`${count(users, 'account')}, ${count(administrators, 'administrator')}.`)
}

function networkFindings({ config }: Core): Finding[] {
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

function signUpFindings({ config, settings }: Core): Finding[] {
  const { signup, createUserDir, defaults } = settings.get()
  if (!signup) return []
  const sharesRoot = !createUserDir && parsePath(defaults.scope) === ROOT
  return [
    sharesRoot
      ? problem(
          'Anyone may create an account and see all files.',
          ownCommand(config, ['config', 'set', 'createUserDir', 'true']),
        )
      : warning(
          'Anyone may create an account.',
          `${ownCommand(config, ['config', 'set', 'signup', 'false'])}, unless that is meant.`,
        ),
  ]
}

async function shareFindings({ config, shares }: Core): Promise<Finding[]> {
  const open = (await shares.listAll()).filter(
    ({ passwordHash, expiresSec }) => !passwordHash && !expiresSec,
  )
  if (open.length === 0) return []
  return [
    warning(
      `${count(open, 'public link')} with neither password nor end.`,
      `${ownCommand(config, ['shares', 'ls'])} shows them, ${ownCommand(config, ['shares', 'rm'])} ends one.`,
    ),
  ]
}

async function commandFindings({ config, users }: Core): Promise<Finding[]> {
  if (!config.flag('exec')) return []
  const names = (await users.list())
    .filter(({ perm }) => perm.admin || perm.execute)
    .map(({ username }) => username)
  const findings = [
    warning(
      `Commands may be run by ${names.join(', ') || 'no user'}.`,
      'Remove the right to execute from users who do not need it.',
    ),
  ]
  if (config.flag('execUnconfined')) {
    findings.push(problem('Commands are not isolated.', 'Start without --exec-unconfined.'))
  }
  return findings
}

function noSignInFindings({ config }: Core): Finding[] {
  if (config.text('auth.method') !== 'noauth') return []
  return [
    problem(
      'Sign-in is off: everyone who can reach this server acts as its first user.',
      ownCommand(config, ['config', 'set', 'auth.method', 'json']),
    ),
  ]
}

function count(items: readonly unknown[], name: string): string {
  return `${items.length} ${name}${items.length === 1 ? '' : 's'}`
}
