/** filemgr app-passwords: what programs and scripts sign in with, instead of the password of an account. */
import type { Command } from 'commander'
import { targetOf } from '#server/accounts/app-passwords/app-password-access.ts'
import { operatorScope } from '#server/journal/operator.ts'
import { APP_PERMISSIONS, type AppPermission } from '#wire/api/app-passwords.ts'
import type { User } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { DAY_MS, timeOrEmpty } from '#wire/units.ts'
import { recordChange } from '../audit.ts'
import { type OpenedCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { parseNumber } from '../number-argument.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'
import { withTree } from '../tree.ts'

/** What a player or a backup needs. */
const DEFAULT_PERMISSIONS = 'download'

export function appPasswordsCommand(program: Command, io: Io): void {
  const commands = program
    .command('app-passwords')
    .description('list, add and remove the passwords of programs and scripts')
  listThem(commands, io)
  addOne(commands, io)
  removeSome(commands, io)
}

function listThem(commands: Command, io: Io): void {
  const list = commands
    .command('ls')
    .description('list the app passwords of all users')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const names = new Map((await core.users.list()).map(({ id, username }) => [id, username]))
        const rows = (await core.appPasswords.list()).map((stored) => ({
          id: stored.id,
          username: names.get(stored.userId) ?? '',
          name: stored.name,
          application: stored.application,
          folder: stored.folder,
          permissions: APP_PERMISSIONS.filter((permission) => stored.permissions[permission]),
          paused: stored.isPaused,
          expires: timeOrEmpty(stored.expiresMs),
          used: timeOrEmpty(stored.usedMs),
          address: stored.address,
          agent: stored.agent,
        }))
        const cells = rows.map((row) => [
          String(row.id),
          row.username,
          row.name,
          row.application,
          row.folder,
          row.permissions.join(','),
          row.paused ? 'paused' : '',
          row.expires || 'never',
          row.used || 'never',
        ])
        const head = [
          'ID',
          'USER',
          'NAME',
          'APPLICATION',
          'FOLDER',
          'PERMISSIONS',
          'STATE',
          'ENDS',
          'USED',
        ]
        printTable(io, head, cells, flags.json === true, rows)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr app-passwords ls')
  addOptions(list, isLocationOption, io)
}

function addOne(commands: Command, io: Io): void {
  const add = commands
    .command('add')
    .description('make an app password for a user, and print it')
    .argument('<user>', 'the name or id of the user')
    .argument('<name>', 'what it is for, such as backup')
    .option('--permissions <list>', APP_PERMISSIONS.join(','), DEFAULT_PERMISSIONS)
    .option('--application <text>', 'the program that it is for', '')
    .option('--folder <path>', 'limit it to a folder of the user, which its programs see as /', '/')
    .option('--days <days>', 'how long it is valid; without this, until it is removed')
    .option('--json', 'print JSON')
    .action((nameOrId: string, name: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const user = await core.users.getByNameOrId(nameOrId)
        const folder = parsePath(String(flags.folder))
        const { stored, secret } = await core.appPasswords.create(user.id, {
          name,
          application: String(flags.application),
          permissions: permissionsIn(String(flags.permissions)),
          folder,
          target: await targetFor(core, user, folder),
          expiresMs: expiryOf(flags.days),
        })
        await recordChange(core, 'addAppPassword', { users: [user.username] })
        const shown = { id: stored.id, username: user.username, name: stored.name, folder }
        io.out(flags.json === true ? JSON.stringify({ ...shown, password: secret }) : secret)
      }),
    )
    .addHelpText(
      'after',
      '\nExample:\n  filemgr app-passwords add anna backup --permissions download,create --folder /photos',
    )
  addOptions(add, (option) => isLocationOption(option) || option.key === 'root', io)
}

function removeSome(commands: Command, io: Io): void {
  const remove = commands
    .command('rm')
    .description('remove app passwords, or with --user all of a user')
    .argument('[id...]', 'as listed by `app-passwords ls`')
    .option('-u, --user <id|username>', 'remove every app password of this user')
    .action((ids: string[], flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        if ((typeof flags.user === 'string') === ids.length > 0)
          throw new Fault('badRequest', 'Name app passwords, or a user with --user.')
        const all =
          typeof flags.user === 'string' ? await allOf(core, flags.user) : await namedIn(core, ids)
        for (const { id, userId, name } of all) {
          await core.appPasswords.remove(id)
          const { username = '' } = (await core.users.find(userId)) ?? {}
          await recordChange(core, 'removeAppPassword', { users: [username] })
          io.out(`Removed app password ${id} (${name}) of ${username}.`)
        }
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr app-passwords rm 3')
  addOptions(remove, isLocationOption, io)
}

async function allOf({ users, appPasswords }: OpenedCore, nameOrId: string) {
  return appPasswords.list((await users.getByNameOrId(nameOrId)).id)
}

type Listed = Awaited<ReturnType<OpenedCore['appPasswords']['list']>>[number]

/** @throws Fault notFound, before anything is removed */
async function namedIn({ appPasswords }: OpenedCore, ids: readonly string[]) {
  const named: Listed[] = []
  for (const id of new Set(ids)) {
    const found = await appPasswords.find(parseNumber(id, 'app-passwords ls'))
    if (!found) throw new Fault('notFound', `There is no app password ${id}.`)
    named.push(found)
  }
  return named
}

/** @throws Fault badRequest */
function permissionsIn(list: string): AppPermission[] {
  const names = list.split(',').flatMap((name) => name.trim() || [])
  return names.map((name) => {
    const known = APP_PERMISSIONS.find((permission) => permission === name)
    if (known) return known
    const all = APP_PERMISSIONS.join(', ')
    throw new Fault('badRequest', `${name} is no permission of an app password: ${all}.`)
  })
}

/** @throws Fault badRequest */
function expiryOf(days: unknown): number {
  if (days === undefined) return 0
  const count = Number(days)
  if (!Number.isInteger(count) || count < 1)
    throw new Fault('badRequest', '--days must be a whole number from 1.')
  return Date.now() + count * DAY_MS
}

/** @throws Fault, as `targetOf`; if the served folder cannot be opened */
async function targetFor(
  core: OpenedCore,
  user: Pick<User, 'scope'>,
  folder: TreePath,
): Promise<string> {
  if (folder === ROOT) return ''
  return withTree(core, await core.lastServed.rootOf(core.config), ({ storage, journal }) =>
    targetOf(operatorScope(storage, journal, core.shares, parsePath(user.scope)), folder),
  )
}
