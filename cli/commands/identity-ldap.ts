/** filemgr identity add --ldap: a directory that users can log in with. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ENTRY_IDS, STANDARD_DIRECTORY } from '#wire/api/directory.ts'
import { Fault } from '#wire/fault.ts'
import { directoryChangeShape } from '#wire/shapes/directory-shapes.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import { recordChange } from '../audit.ts'
import type { OpenedCore } from '../core.ts'
import type { Io } from '../io.ts'
import type { Flags } from '../options.ts'

export function addDirectoryOptions(add: Command): void {
  add
    .option(
      '--ldap <address>',
      'a directory: ldaps://… or ldap://…, which is encrypted by StartTLS',
    )
    .option('--ldap-plain', 'do not encrypt ldap://: passwords are readable on the network')
    .option('--ca-file <file>', 'certificates of the authority of the directory, as PEM')
    .option('--bind-dn <name>', 'who searches; without it, anyone may')
    .option('--bind-password-file <file>', 'a file with the password of --bind-dn')
    .option('--base <name>', 'the entry below which users are')
    .option('--filter <filter>', 'finds a user', STANDARD_DIRECTORY.filter)
    .option('--id-attribute <name>', ENTRY_IDS.join(', '), STANDARD_DIRECTORY.idAttribute)
    .option('--name-attribute <name>', 'the name of new users', STANDARD_DIRECTORY.nameAttribute)
    .option('--group-base <name>', 'the entry directly below which groups are')
    .option('--group-filter <filter>', 'finds groups by {dn} and {username}; without it, memberOf')
}

/**
 * Adds a directory, or changes it.
 *
 * @throws Fault badRequest, conflict
 */
export async function addDirectory(
  core: OpenedCore,
  io: Io,
  id: string,
  flags: Flags,
): Promise<void> {
  const change = changeOf(id, flags)
  const exists = (await core.directories.list()).some((directory) => directory.id === id)
  if (exists && flags.overwrite === true) await core.directories.change(change)
  else {
    await core.directories.add(change, () => core.providers.ids())
  }
  await recordChange(core, 'changeSettings')
  const { address, isPlain } = change.options
  if (isPlain) {
    io.err(`The connection to ${address} is not encrypted: passwords are readable on the network.`)
  }
  io.out(`The directory ${id} is on.`)
}

/** The words of an option, which are separated by commas. */
export function listOf(flags: Flags, name: string): string[] {
  return String(flags[name] ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** A secret never is an argument: other users of the machine see those. @throws Fault badRequest */
export function secretIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new Fault('badRequest', `The file ${path} cannot be read.`, { cause })
  }
}

/** @throws Fault badRequest */
function changeOf(id: string, flags: Flags) {
  const text = (name: string) => String(flags[name] ?? '')
  const read = (name: string) => (flags[name] === undefined ? '' : secretIn(text(name)))
  const parsed = directoryChangeShape.safeParse({
    id,
    label: text('label') || id,
    ...(flags.bindPasswordFile === undefined ? {} : { bindPassword: read('bindPasswordFile') }),
    isEnabled: true,
    options: {
      address: text('ldap'),
      isPlain: flags.ldapPlain === true,
      ca: read('caFile'),
      bindDN: text('bindDn'),
      base: text('base'),
      filter: flags.filter,
      idAttribute: flags.idAttribute,
      nameAttribute: flags.nameAttribute,
      groupBase: text('groupBase'),
      groupFilter: text('groupFilter'),
      adminGroups: listOf(flags, 'adminGroups'),
      loginGroups: listOf(flags, 'loginGroups'),
      newAccounts: flags.newAccounts,
      accountGroups: listOf(flags, 'accountGroups'),
    },
  })
  if (parsed.success) return parsed.data
  throw new Fault('badRequest', sentenceOf(parsed.error))
}
