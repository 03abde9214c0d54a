/** filemgr users invite: creates a link by which a user chooses a password. */

import type { Command } from 'commander'
import type { UserChanges } from '#server/accounts/users/user-changes.ts'
import { baseUrl } from '#server/config/load.ts'
import { reachableHosts } from '#server/config/reachable-hosts.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { INVITE_PAGE } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { type OpenedCore, withCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'

/** The account options of the other `users` commands. */
interface AccountOptions {
  addUserOptions(command: Command): Command
  printChangedScope(io: Io, flags: Flags, user: Pick<User, 'scope'>): void
  changesFrom(
    flags: Flags,
    current: Omit<User, 'id' | 'username' | 'rules' | 'password'>,
  ): UserChanges
}

export function inviteUser(users: Command, io: Io, account: AccountOptions): void {
  const invite = users
    .command('invite')
    .description('create a link by which a new or existing user chooses a password')
    .argument('<username>')
    .option('--days <days>', 'how long the link works', String(SERVER_LIMITS.invitationDays))
    .option('--url <url>', 'the URL of the server for users, such as https://files.example.org')
    .action((username: string, flags: Flags) =>
      withCore(io, flags, async (core) => {
        mustSignInByPassword(core)
        const days = daysOf(flags)
        const existing = (await core.users.list()).find((user) => user.username === username)
        const changes = account.changesFrom(
          flags,
          existing ?? { ...core.settings.get().defaults, lockPassword: false },
        )
        if (existing && Object.keys(changes).length > 0) {
          throw new Fault(
            'badRequest',
            `The user ${username} already exists. Change it with \`filemgr users update\`.`,
          )
        }
        const hash = await core.invitations.unknownPasswordHash()
        const invitation = await core.atomically(async () => {
          const { id } = existing ?? (await core.users.createHashed(username, hash, changes))
          return core.invitations.make(id, days)
        })
        await recordChange(core, 'invite', { users: [username] })
        account.printChangedScope(io, flags, await core.users.get(invitation.userID))
        const link = `${await serverAddress(core, flags)}${INVITE_PAGE}#${invitation.token}`
        const expires = new Date(invitation.expires * 1000).toISOString()
        if (flags.json === true) {
          io.out(JSON.stringify({ userID: invitation.userID, username, expires, link }))
        } else io.out(`${link}\nIt works once, until ${expires}.`)
      }),
    )
    .addHelpText(
      'after',
      `
Examples:
  filemgr users invite anna
  filemgr users invite anna --scope /anna --days 1 --url https://files.example.org`,
    )
  addOptions(account.addUserOptions(invite), isLocationOption, io)
}

/** @throws Fault badRequest (users sign in in another way) */
function mustSignInByPassword({ config }: OpenedCore): void {
  if (config.text('auth.method') === 'json') return
  throw new Fault(
    'badRequest',
    'This server does not use its own passwords for sign-in, so that there are no invitations.',
  )
}

/** @throws Fault badRequest (`--days` is out of range) */
function daysOf(flags: Flags): number {
  const days = Number(flags.days)
  const max = SERVER_LIMITS.invitationDaysMax
  if (Number.isSafeInteger(days) && days >= 1 && days <= max) return days
  throw new Fault('badRequest', `--days must be a whole number from 1 to ${max}.`)
}

/**
 * The URL for links: that of `--url`, the public address, that of the last server, or the first address on which a server
 * would listen.
 *
 * @throws Fault badRequest (`--url` is no URL)
 */
async function serverAddress(
  { config, settings, lastServed }: OpenedCore,
  flags: Flags,
): Promise<string> {
  if (typeof flags.url === 'string') {
    if (!/^https?:\/\/[^/]/.test(flags.url)) {
      throw new Fault('badRequest', '--url must be a URL such as https://files.example.org.')
    }
    return flags.url.replace(/\/+$/, '')
  }
  const served = settings.get().publicAddress || (await lastServed.url())
  if (served !== '') return served
  const [host = '127.0.0.1'] = reachableHosts(config)
  const scheme = config.text('cert') === '' ? 'http' : 'https'
  return `${scheme}://${host}:${config.number('port')}${baseUrl(config)}`
}
