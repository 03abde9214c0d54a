/** filemgr identity: the OpenID Connect providers and the directories that users can log in with. */
import type { Command } from 'commander'
import { NEW_ACCOUNTS, STANDARD_OPTIONS } from '#wire/api/identity.ts'
import { Fault } from '#wire/fault.ts'
import { providerChangeShape } from '#wire/shapes/identity-shapes.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import { recordChange } from '../audit.ts'
import { type OpenedCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { publicAddressAdvice } from '../public-address.ts'
import { printTable } from '../table.ts'
import { addDirectory, addDirectoryOptions, listOf, secretIn } from './identity-ldap.ts'

export function identityCommand(program: Command, io: Io): void {
  const identity = program
    .command('identity')
    .description('list, add, switch and remove the providers that users can log in with')
  listProviders(identity, io)
  addProvider(identity, io)
  switchProviders(identity, io, true)
  switchProviders(identity, io, false)
  removeProvider(identity, io)
}

function listProviders(identity: Command, io: Io): void {
  const list = identity
    .command('ls')
    .description('list the providers')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const rows = [
          ...(await core.providers.list()).map(providerRow),
          ...(await core.directories.list()).map(directoryRow),
        ]
        const cells = rows.map((row) => [
          row.id,
          row.enabled ? 'on' : 'off',
          row.kind === 'ldap' ? row.options.address : row.issuer,
          row.kind === 'ldap' ? row.options.bindDN : row.clientID,
          row.label,
        ])
        const head = ['ID', 'STATE', 'ISSUER', 'CLIENT', 'LABEL']
        printTable(io, head, cells, flags.json === true, rows)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr identity ls')
  addOptions(list, isLocationOption, io)
}

type Listed<Kind extends 'providers' | 'directories'> = Awaited<
  ReturnType<OpenedCore[Kind]['list']>
>[number]

function providerRow({ id, label, issuer, clientId, isEnabled, options }: Listed<'providers'>) {
  const kind = 'oidc' as const
  return { id, kind, label, issuer, clientID: clientId, enabled: isEnabled, options }
}

function directoryRow({ id, label, isEnabled, options }: Listed<'directories'>) {
  return { id, kind: 'ldap' as const, label, enabled: isEnabled, options }
}

function addProvider(identity: Command, io: Io): void {
  const add = identity
    .command('add')
    .description(
      'add a provider, and print the redirect address to enter there; or a directory (LDAP)',
    )
    .argument('<id>', 'a part of the redirect address, such as home')
    .option('--issuer <address>', 'the address of the provider')
    .option('--client-id <id>', 'as the provider names this server')
    .option('--client-secret-file <file>', 'a file with the client secret')
    .option('--label <text>', 'what users see; by default the id')
    .option('--scopes <list>', 'separated by spaces', STANDARD_OPTIONS.scopes)
    .option('--name-claim <claim>', 'the name of new users', STANDARD_OPTIONS.nameClaim)
    .option('--groups-claim <path>', 'the groups of users', STANDARD_OPTIONS.groupsClaim)
    .option('--admin-groups <list>', 'groups of administrators, separated by commas', '')
    .option('--login-groups <list>', 'groups that may log in; without this, all', '')
    .option('--new-accounts <choice>', NEW_ACCOUNTS.join(', '), STANDARD_OPTIONS.newAccounts)
    .option('--account-groups <list>', 'groups that get an account', '')
    .option('--redirects', 'the login page opens it by itself')
    .option('--logs-out', 'log out at the provider too')
    .option('--overwrite', 'change the provider if it exists')
  addDirectoryOptions(add)
  add
    .action((id: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        if (flags.ldap !== undefined) return await addDirectory(core, io, id, flags)
        const change = changeOf(id, flags)
        const exists = (await core.providers.list()).some((provider) => provider.id === id)
        if (exists && flags.overwrite === true) await core.providers.change(change)
        else {
          await core.providers.add(change, () => core.directories.ids())
        }
        await recordChange(core, 'changeSettings')
        const { publicAddress } = core.settings.get()
        if (publicAddress !== '') return io.out(`${publicAddress}/api/identity/callback/${id}`)
        io.err(
          `The public address is not set. ${publicAddressAdvice(core.config, await core.lastServed.url())}`,
        )
      }),
    )
    .addHelpText(
      'after',
      '\nExample:\n  filemgr identity add home --issuer https://login.example.org --client-id filemgr --client-secret-file secret.txt\n  filemgr identity add office --ldap ldaps://ldap.example.org --base ou=people,dc=example,dc=org',
    )
  addOptions(add, isLocationOption, io)
}

/** @throws Fault badRequest */
function changeOf(id: string, flags: Flags) {
  const text = (name: string) => String(flags[name] ?? '')
  const list = (name: string) => listOf(flags, name)
  if (flags.issuer === undefined || flags.clientId === undefined) {
    throw new Fault('badRequest', 'Name --issuer and --client-id, or --ldap for a directory.')
  }
  const file = flags.clientSecretFile
  const parsed = providerChangeShape.safeParse({
    id,
    label: text('label') || id,
    issuer: flags.issuer,
    clientID: flags.clientId,
    ...(file === undefined ? {} : { clientSecret: secretIn(String(file)) }),
    isEnabled: true,
    options: {
      scopes: flags.scopes,
      nameClaim: flags.nameClaim,
      groupsClaim: flags.groupsClaim,
      adminGroups: list('adminGroups'),
      loginGroups: list('loginGroups'),
      newAccounts: flags.newAccounts,
      accountGroups: list('accountGroups'),
      redirects: flags.redirects === true,
      logsOut: flags.logsOut === true,
    },
  })
  if (parsed.success) return parsed.data
  throw new Fault('badRequest', sentenceOf(parsed.error))
}

function switchProviders(identity: Command, io: Io, isEnabled: boolean): void {
  const [verb, state] = isEnabled ? ['enable', 'on'] : ['disable', 'off']
  const command = identity
    .command(verb)
    .description(
      `switch a provider ${state}, or all; passwords are not affected${isEnabled ? '' : '. The sessions that it opened end'}`,
    )
    .argument('[id]', 'as listed by `identity ls`; without it, all providers')
    .action((id: string | undefined, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const all = [...(await core.providers.list()), ...(await core.directories.list())].map(
          (one) => one.id,
        )
        const ids = id === undefined ? all : [id]
        const ended: number[] = []
        for (const one of ids)
          ended.push(await (await kindOf(core, one)).setEnabled(one, isEnabled))
        await report(core, io, ids, `is ${state}`)
        if (!isEnabled && ids.length > 0) reportEnded(io, ended)
      }),
    )
    .addHelpText('after', `\nExample:\n  filemgr identity ${verb}`)
  addOptions(command, isLocationOption, io)
}

function removeProvider(identity: Command, io: Io): void {
  const remove = identity
    .command('rm')
    .description(
      'remove a provider, and end the sessions that it opened; the accounts of its users stay',
    )
    .argument('<id>', 'as listed by `identity ls`')
    .action((id: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const ended = await (await kindOf(core, id)).remove(id)
        await report(core, io, [id], 'was removed')
        reportEnded(io, [ended])
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr identity rm home')
  addOptions(remove, isLocationOption, io)
}

/** The service that has an id. */
async function kindOf({ providers, directories }: OpenedCore, id: string) {
  return (await directories.list()).some((one) => one.id === id) ? directories : providers
}

function reportEnded(io: Io, ended: readonly number[]): void {
  const count = ended.reduce((sum, one) => sum + one, 0)
  io.out(count === 1 ? '1 session has ended.' : `${count} sessions have ended.`)
}

async function report(
  core: OpenedCore,
  io: Io,
  ids: readonly string[],
  what: string,
): Promise<void> {
  if (ids.length > 0) await recordChange(core, 'changeSettings')
  for (const id of ids) io.out(`The provider ${id} ${what}.`)
  if (ids.length === 0) io.out('There are no providers and no directories.')
}
