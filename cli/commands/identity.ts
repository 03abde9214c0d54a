/** filemgr identity: the OpenID Connect providers that users can log in with. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { NEW_ACCOUNTS, STANDARD_OPTIONS } from '#wire/api/identity.ts'
import { Fault } from '#wire/fault.ts'
import { providerChangeShape } from '#wire/shapes/identity-shapes.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import { recordChange } from '../audit.ts'
import { isLocationOption, type OpenedCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags } from '../options.ts'
import { printTable } from '../table.ts'

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
      withExistingCore(io, flags, (core) => {
        const rows = core.providers
          .list()
          .map(({ id, label, issuer, clientId, isEnabled, options }) => ({
            id,
            label,
            issuer,
            clientID: clientId,
            enabled: isEnabled,
            options,
          }))
        const cells = rows.map(({ id, label, issuer, clientID, enabled }) => [
          id,
          enabled ? 'on' : 'off',
          issuer,
          clientID,
          label,
        ])
        const head = ['ID', 'STATE', 'ISSUER', 'CLIENT', 'LABEL']
        printTable(io, head, cells, flags.json === true, rows)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr identity ls')
  addOptions(list, isLocationOption, io)
}

function addProvider(identity: Command, io: Io): void {
  const add = identity
    .command('add')
    .description('add a provider, and print the redirect address to enter there')
    .argument('<id>', 'a part of the redirect address, such as home')
    .requiredOption('--issuer <address>', 'the address of the provider')
    .requiredOption('--client-id <id>', 'as the provider names this server')
    .option('--client-secret-file <file>', 'a file with the client secret')
    .option('--label <text>', 'what the button on the login page says; by default the id')
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
    .action((id: string, flags: Flags) =>
      withExistingCore(io, flags, (core) => {
        const change = changeOf(id, flags)
        const exists = core.providers.list().some((provider) => provider.id === id)
        if (exists && flags.overwrite === true) core.providers.change(change)
        else core.providers.add(change)
        recordChange(core, 'changeSettings')
        const { publicAddress } = core.settings.get()
        if (publicAddress !== '') return io.out(`${publicAddress}/api/identity/${id}/callback`)
        io.err(
          'The public address is not set. Log-in with a provider needs it: filemgr config set --public-address https://…',
        )
      }),
    )
    .addHelpText(
      'after',
      '\nExample:\n  filemgr identity add home --issuer https://login.example.org --client-id filemgr --client-secret-file secret.txt',
    )
  addOptions(add, isLocationOption, io)
}

/** @throws Fault badRequest */
function changeOf(id: string, flags: Flags) {
  const text = (name: string) => String(flags[name] ?? '')
  const list = (name: string) =>
    text(name)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
  const file = flags.clientSecretFile
  const parsed = providerChangeShape.safeParse({
    id,
    label: text('label') || id,
    issuer: flags.issuer,
    clientID: flags.clientId,
    ...(file === undefined ? {} : { clientSecret: readSecret(String(file)) }),
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

/** A secret never is an argument: other users of the machine see those. @throws Fault badRequest */
function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new Fault('badRequest', `The file ${path} cannot be read.`, { cause })
  }
}

function switchProviders(identity: Command, io: Io, isEnabled: boolean): void {
  const [verb, state] = isEnabled ? ['enable', 'on'] : ['disable', 'off']
  const command = identity
    .command(verb)
    .description(`switch a provider ${state}, or all; passwords are not affected`)
    .argument('[id]', 'as listed by `identity ls`; without it, all providers')
    .action((id: string | undefined, flags: Flags) =>
      withExistingCore(io, flags, (core) => {
        const ids = id === undefined ? core.providers.list().map((one) => one.id) : [id]
        for (const one of ids) core.providers.setEnabled(one, isEnabled)
        report(core, io, ids, `is ${state}`)
      }),
    )
    .addHelpText('after', `\nExample:\n  filemgr identity ${verb}`)
  addOptions(command, isLocationOption, io)
}

function removeProvider(identity: Command, io: Io): void {
  const remove = identity
    .command('rm')
    .description('remove a provider; the accounts of its users stay')
    .argument('<id>', 'as listed by `identity ls`')
    .action((id: string, flags: Flags) =>
      withExistingCore(io, flags, (core) => {
        core.providers.remove(id)
        report(core, io, [id], 'was removed')
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr identity rm home')
  addOptions(remove, isLocationOption, io)
}

function report(core: OpenedCore, io: Io, ids: readonly string[], what: string): void {
  if (ids.length > 0) recordChange(core, 'changeSettings')
  for (const id of ids) io.out(`The provider ${id} ${what}.`)
  if (ids.length === 0) io.out('There are no providers.')
}
