/** filemgr users: add, invite, ls, find, update, rm, reset-second-factor, export, import. Values are checked as by the HTTP API. */
import { type Command, Option } from 'commander'
import type { UserChanges } from '#server/accounts/users/user-changes.ts'
import { flagOf } from '#server/config/options.ts'
import { SORT_KEYS, type SortKey } from '#wire/api/entry.ts'
import { preferencesOf, type User, VIEW_MODES, type ViewMode } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { isLanguage, LANGUAGES } from '#wire/languages.ts'
import { PERMISSIONS, type Permission, type Permissions } from '#wire/permissions.ts'
import { timeOrEmpty } from '#wire/units.ts'
import { recordChange } from '../audit.ts'
import { withCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'
import { exportUsersCommand, importUsersCommand } from './users-import-export.ts'
import { inviteUser } from './users-invite.ts'
import { resetSecondFactor } from './users-second-factor.ts'

type PrintedUser = Omit<User, 'password'> & { signedInMs: number }

export function usersCommand(program: Command, io: Io): void {
  const users = program.command('users').description('manage users')
  // `inviteUser` gets the functions that it shares with the others as an argument, because this file imports it.
  addUser(users, io)
  inviteUser(users, io, { addUserOptions, changesFrom, printChangedScope })
  listUsers(users, io)
  findUser(users, io)
  updateUser(users, io)
  removeUser(users, io)
  resetSecondFactor(users, io)
  exportUsersCommand(users, io)
  importUsersCommand(users, io)
}

function addUser(users: Command, io: Io): void {
  const add = users
    .command('add')
    .description('add a user; without a password it is asked for, or read from standard input')
    .argument('<username>')
    .argument('[password]')
    .option('--password-hash <hash>', 'a hash made by `filemgr hash`, instead of a password')
    .action((username: string, password: string | undefined, flags: Flags) =>
      withCore(io, flags, async (core) => {
        const hash = flags.passwordHash as string | undefined
        if (hash !== undefined && password !== undefined) {
          throw new Fault('badRequest', 'Give a password or --password-hash, not both.')
        }
        const defaults = core.settings.get().defaults
        const changes = changesFrom(flags, { ...defaults, lockPassword: false })
        const user =
          hash !== undefined
            ? await core.users.createHashed(username, hash, changes)
            : await core.users.create(username, password ?? (await io.newPassword()), changes)
        await recordChange(core, 'addUser', { users: [user.username] })
        printChangedScope(io, flags, user)
        printUsers(io, [user], flags)
      }),
    )
    .addHelpText(
      'after',
      `
Examples:
  filemgr users add anna "correct horse battery" --scope /anna
  echo "$PASSWORD" | filemgr users add anna --perm.admin`,
    )
  addOptions(addUserOptions(add), isLocationOption, io)
}

function listUsers(users: Command, io: Io): void {
  const list = users
    .command('ls')
    .description('list all users')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) => printUsers(io, await core.users.list(), flags)),
    )
    .addHelpText('after', '\nExample:\n  filemgr users ls --json')
  addOptions(list, isLocationOption, io)
}

function findUser(users: Command, io: Io): void {
  const find = users
    .command('find')
    .description('show one user')
    .argument('<id|username>')
    .option('--json', 'print JSON')
    .action((nameOrId: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) =>
        printUsers(io, [await core.users.getByNameOrId(nameOrId)], flags),
      ),
    )
    .addHelpText('after', '\nExample:\n  filemgr users find anna')
  addOptions(find, isLocationOption, io)
}

function updateUser(users: Command, io: Io): void {
  const update = users
    .command('update')
    .description('change a user; options that are not given stay as they are')
    .argument('<id|username>')
    .option('-u, --username <name>', 'a new name')
    .option(
      '-p, --password [password]',
      'a new password; asked for on a terminal, or read from standard input, when empty',
    )
    .action((nameOrId: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const user = await core.users.getByNameOrId(nameOrId)
        const changes = changesFrom(flags, user)
        const username = flags.username as string | undefined
        if (username !== undefined) changes.username = username
        const { password } = flags
        if (password !== undefined) {
          const typed = password === true ? await io.newPassword() : String(password)
          await core.users.updateWithPassword(user.id, changes, typed)
        } else if (Object.keys(changes).length > 0) await core.users.update(user.id, changes)
        const updated = await core.users.get(user.id)
        await recordChange(core, 'changeUser', { users: [updated.username] })
        printChangedScope(io, flags, updated)
        printUsers(io, [updated], flags)
      }),
    )
    .addHelpText(
      'after',
      `
Examples:
  filemgr users update anna --perm.delete=false
  filemgr users update 3 --username anna-maria --scope /am`,
    )
  addOptions(addUserOptions(update), isLocationOption, io)
}

function removeUser(users: Command, io: Io): void {
  const remove = users
    .command('rm')
    .description('remove a user and end their sessions; their files stay')
    .argument('<id|username>')
    .action((nameOrId: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const user = await core.users.getByNameOrId(nameOrId)
        await core.users.remove(user.id)
        await recordChange(core, 'removeUser', { users: [user.username] })
        io.out(`Removed ${user.username}.`)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr users rm anna')
  addOptions(remove, isLocationOption, io)
}

/** Switches: on without a value, off with `=false`. */
const SWITCHES = ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat'] as const

const PERMISSION_HELP: Record<Permission, string> = {
  admin: 'may manage users and settings; includes all other permissions',
  execute: 'may run commands',
  create: 'may create, upload and copy files and folders',
  rename: 'may rename and move',
  modify: 'may change and replace files',
  delete: 'may delete',
  share: 'may create public shares; needs download',
  download: 'may download files',
}

function addUserOptions(command: Command): Command {
  for (const name of PERMISSIONS) {
    command.addOption(switchFor(`perm.${name}`, PERMISSION_HELP[name]))
  }
  command.option('--scope <folder>', 'the folder that this user sees as the root')
  command.option('--locale <language>', 'the language, such as en or pt-br')
  command.addOption(
    new Option('--view-mode <mode>', 'how folders are shown').choices([...VIEW_MODES]),
  )
  command.addOption(switchFor('singleClick', 'open by a single click'))
  command.addOption(
    switchFor('redirectAfterCopyMove', 'go to the destination after copying or moving'),
  )
  command.addOption(switchFor('hideDotfiles', 'hide names that begin with a dot'))
  command.addOption(switchFor('dateFormat', 'show exact dates'))
  command.addOption(switchFor('lockPassword', 'the user may not change the password'))
  command.addOption(
    new Option('--sorting.by <key>', 'how folders are sorted').choices([...SORT_KEYS]),
  )
  command.addOption(switchFor('sorting.asc', 'sort in ascending order'))
  command.option('--commands <programs>', 'programs that this user may run, separated by commas')
  addCamelCaseFlags(command)
  return command.option('--json', 'print JSON')
}

function switchFor(key: string, help: string): Option {
  const option = new Option(`--${flagOf(key)} [true|false]`, help).choices(['true', 'false'])
  option.attributeName = () => key
  return option
}

/** File Browser's flags are in camel case. They are accepted, too, and hidden from the help. */
function addCamelCaseFlags(command: Command): void {
  for (const name of [...SWITCHES, 'lockPassword'] as const) {
    command.addOption(hiddenFlag(switchFor(name, ''), `--${name} [true|false]`, name))
  }
  const mode = new Option('--viewMode <mode>').choices([...VIEW_MODES])
  command.addOption(hiddenFlag(mode, '--viewMode <mode>', 'viewMode'))
  for (const name of ['aceEditorTheme', 'ace-editor-theme']) {
    command.addOption(hiddenFlag(new Option('--x'), `--${name} <theme>`, 'aceEditorTheme'))
  }
}

/** A hidden flag with the values of another one, which sets the same attribute. */
function hiddenFlag({ argChoices }: Option, optionFlags: string, attribute: string): Option {
  const option = new Option(optionFlags).hideHelp()
  if (argChoices) option.choices(argChoices)
  option.attributeName = () => attribute
  return option
}

/** The fields to change; `current` has the permissions and the sorting that the flags leave out. */
function changesFrom(
  flags: Flags,
  current: Omit<User, 'id' | 'username' | 'rules' | 'password'>,
): UserChanges {
  const changes: UserChanges = {}
  const perm: Permissions = { ...current.perm }
  for (const name of PERMISSIONS) perm[name] = switchValue(flags, `perm.${name}`) ?? perm[name]
  if (PERMISSIONS.some((name) => perm[name] !== current.perm[name])) changes.perm = perm
  for (const name of SWITCHES) {
    const value = switchValue(flags, name)
    if (value !== undefined) changes[name] = value
  }
  const isLocked = switchValue(flags, 'lockPassword')
  if (isLocked !== undefined) changes.lockPassword = isLocked
  const by = flags['sorting.by'] as SortKey | undefined
  const asc = switchValue(flags, 'sorting.asc')
  if (by !== undefined || asc !== undefined) {
    const { sorting } = preferencesOf(current)
    changes.sorting = { by: by ?? sorting.by, asc: asc ?? sorting.asc }
  }
  const { scope, locale, viewMode, commands, aceEditorTheme } = flags
  if (typeof scope === 'string') changes.scope = scope
  if (typeof locale === 'string') changes.locale = knownLanguage(locale)
  if (typeof aceEditorTheme === 'string') changes.aceEditorTheme = aceEditorTheme
  if (viewMode !== undefined) changes.viewMode = viewMode as ViewMode
  if (typeof commands === 'string') changes.commands = partsOf(commands)
  return changes
}

/** The parts of a comma-separated list, without the spaces around them. */
function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

/** Prints the scope if it differs from what was typed: a relative path is resolved from the served folder. */
function printChangedScope(io: Io, flags: Flags, { scope }: Pick<PrintedUser, 'scope'>): void {
  if (flags.scope === undefined || flags.scope === scope) return
  io.err(`The scope is ${scope}, ${scope === '/' ? '' : 'in '}the served folder.`)
}

/** @throws Fault badRequest (no such language) */
function knownLanguage(tag: string): string {
  if (isLanguage(tag)) return tag
  throw new Fault(
    'badRequest',
    `--locale: there is no language "${tag}". Use one of ${LANGUAGES.map(({ code }) => code).join(', ')}.`,
  )
}

/**
 * @returns undefined if the option is absent
 * @throws Fault badRequest (neither true nor false)
 */
function switchValue(flags: Flags, key: string): boolean | undefined {
  const value = flags[key]
  if (value === undefined) return undefined
  if (value === true || value === 'true') return true
  if (value === 'false') return false
  throw new Fault('badRequest', `--${flagOf(key)} must be true or false.`)
}

function printUsers(io: Io, users: PrintedUser[], flags: Flags): void {
  const rows = users.map((user) => [
    user.id,
    user.username,
    user.scope,
    user.locale,
    PERMISSIONS.filter((name) => user.perm[name]).join(',') || '-',
    user.lockPassword,
    timeOrEmpty(user.signedInMs) || '-',
  ])
  const shown = users.map((user) => ({
    id: user.id,
    username: user.username,
    scope: user.scope,
    lockPassword: user.lockPassword,
    perm: user.perm,
    commands: user.commands,
    rules: user.rules,
    ...preferencesOf(user),
    lastSignIn: timeOrEmpty(user.signedInMs),
  }))
  const head = ['ID', 'NAME', 'SCOPE', 'LANGUAGE', 'MAY', 'LOCKED', 'LAST SIGN-IN']
  printTable(io, head, rows, flags.json === true, shown)
}
