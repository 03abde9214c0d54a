/** filemgr config: init, cat, set, export, import. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { resolveName } from '#server/config/aliases.ts'
import type { Config } from '#server/config/config.ts'
import { databaseText } from '#server/config/database-address.ts'
import { readDocument, writeDocument } from '#server/config/document.ts'
import { writeConfigValue } from '#server/config/file.ts'
import { loadConfig } from '#server/config/load.ts'
import { isOff, type OptionValue, parseAliased, parseValue } from '#server/config/values.ts'
import { type Core, databaseExists, openCore } from '#server/core.ts'
import {
  exportSettings,
  type ImportedSettings,
  readSettings,
} from '#server/settings/import-export.ts'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { configSources, readConfig } from '../config.ts'
import { type OpenedCore, withCore, withExistingCore } from '../core.ts'
import { installationDatabase, installationFolder } from '../installation.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption, writtenFlags } from '../options.ts'
import { printTable } from '../table.ts'
import { exportIdentity, importIdentity, readIdentity } from './config-identity.ts'
import { refuseAll } from './users-import-export.ts'

export function configCommand(program: Command, io: Io): void {
  const config = program.command('config').description('show and change options')
  initConfig(config, io)
  catConfig(config, io)
  setConfig(config, io)
  exportConfig(config, io)
  importConfig(config, io)
}

function initConfig(config: Command, io: Io): void {
  const init = config
    .command('init')
    .description('create the database with its settings; fails if it exists')
    .action(async (flags: Flags) => {
      const loaded = readConfig(io, flags)
      const { database } = loaded.paths
      if (await databaseExists(database)) {
        throw new Fault(
          'conflict',
          `The database ${databaseText(database)} already exists. Change it with \`filemgr config set\`.`,
        )
      }
      const location = locationOf(flags)
      const { startup, notices } = groupedOptions(writtenFlags({ ...flags, ...location.unset }))
      for (const notice of notices) io.err(notice)
      const core = await openCore(loaded)
      try {
        io.out(`Created ${databaseText(database)}.`)
        await storeStartup(startup, core, undefined, io)
      } finally {
        await core.close()
      }
    })
    .addHelpText(
      'after',
      '\nExample:\n  filemgr config init --branding.name "Our files" --port 9000',
    )
  addOptions(init, () => true, io)
}

function catConfig(config: Command, io: Io): void {
  const cat = config
    .command('cat')
    .description('print every option, its value and where the value comes from')
    .option('--json', 'print JSON')
    .action(async (flags: Flags) => {
      // Without a database, the settings are the defaults, of one that is deleted afterwards.
      const written = loadConfig(configSources(io, flags))
      const isThere = await databaseExists(written.paths.database)
      const print = async (core: OpenedCore) => {
        const config = isThere ? core.config : written
        if (flags.json !== true) await printInstallation(io, config, isThere ? core : undefined)
        const rows = [...config.settings.values()].map(({ option, value, origin }) => {
          const isLive = option.isLive
          return {
            key: option.key,
            value: isLive ? core.settings.getOption(option.key) : withoutSecret(option.key, value),
            origin: isLive ? 'settings' : origin,
            isMode: option.type === 'mode' || option.type === 'folderMode',
          }
        })
        const cells = rows.map(({ key, value, origin, isMode }) => [
          key,
          isMode ? octal(Number(value)) : String(value ?? ''),
          origin,
        ])
        const plain = rows.map(({ isMode: _, ...row }) => row)
        printTable(io, ['OPTION', 'VALUE', 'FROM'], cells, flags.json === true, plain)
      }
      await withCore(io, flags, print, { isDryRun: true })
    })
    .addHelpText('after', '\nExample:\n  filemgr config cat --json')
  addOptions(cat, () => true, io)
}

/** Says for people what the options are of. */
async function printInstallation(
  io: Io,
  config: Config,
  core: OpenedCore | undefined,
): Promise<void> {
  const { path, from, isGuessed } = await installationFolder(config, core)
  io.err(`Folder: ${path} (${isGuessed ? 'the working folder, as no folder is named' : from})`)
  io.err(`Database: ${installationDatabase(config)}${core ? '' : ', which does not exist'}`)
}

/** Formats permission bits as in `0640`. */
function octal(mode: number): string {
  return `0${mode.toString(8)}`
}

function setConfig(config: Command, io: Io): void {
  const set = config
    .command('set')
    .description('change options; with --config, options of `serve` are written to that file')
    .argument('[option]')
    .argument('[value]')
    .action(async (key: string | undefined, written: string | undefined, flags: Flags) => {
      const location = locationOf(flags)
      const values = writtenFlags({ ...flags, ...location.unset })
      if (key !== undefined) {
        if (written === undefined) throw new Fault('badRequest', `${key} needs a value.`)
        values[key] = written
      }
      const { live, startup, notices } = groupedOptions(values)
      for (const notice of notices) io.err(notice)
      if (live.length + startup.length === 0) {
        if (notices.length > 0) return undefined
        throw new Fault(
          'badRequest',
          'Name an option and a value. `filemgr config cat` lists the options.',
        )
      }
      return await withCore(io, location.flags, async (core) => {
        if (live.length > 0) await core.settings.setOptions(live)
        await storeStartup(startup, core, flags.config as string | undefined, io)
        await recordChange(core, 'changeSettings')
      })
    })
    .addHelpText(
      'after',
      `
Examples:
  filemgr config set port 9000
  filemgr config set --branding.name "Our files" --signup`,
    )
  addOptions(set, () => true, io)
}

function exportConfig(config: Command, io: Io): void {
  const command = config
    .command('export')
    .description('write the settings to a .json, .yaml, .yml or .toml file')
    .argument('<file>')
    .action((path: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const settings = exportSettings(core.settings.get(), core.config)
        writeDocument(path, { ...settings, ...(await exportIdentity(core)) })
        io.out(`Wrote ${resolve(path)}.`)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr config export settings.json')
  addOptions(command, isLocationOption, io)
}

function importConfig(config: Command, io: Io): void {
  const command = config
    .command('import')
    .description('import settings from `config export` of filemgr or File Browser')
    .argument('<file>')
    .option('--dry-run', 'print what would be refused or changed, and change nothing')
    .action((path: string, flags: Flags) => {
      const document = readDocument(path)
      const imported = readSettings(document)
      const { identity, problems: identityProblems } = readIdentity(document)
      const { live, rules, commands } = imported
      for (const notice of imported.notices) io.err(notice)
      const isDryRun = flags.dryRun === true
      const importInto = async (core: OpenedCore) => {
        const problems = core.settings.findProblems(live, { rules, commands })
        refuseAll([...imported.problems, ...identityProblems, ...problems], path)
        if (isDryRun) {
          io.out(`${resolve(path)} can be imported. Nothing was changed.`)
          return
        }
        const notices = await core.atomically(async () => {
          await core.settings.setOptions(live, { rules, commands })
          return importIdentity(core, identity)
        })
        for (const notice of notices) io.err(notice)
        const changed = imported.startup.filter(([key, written]) =>
          isChange(core.config, key, written),
        )
        await core.installation.put(imported.startup)
        await recordChange(core, 'changeSettings')
        printStored(changed, core, io)
        io.out(`Imported ${resolve(path)}.`)
      }
      return withCore(io, flags, importInto, { isDryRun })
    })
    .addHelpText('after', '\nExample:\n  filemgr config import settings.json')
  addOptions(command, isLocationOption, io)
}

/** An option of the settings, which applies at once. */
type Live = [key: string, value: OptionValue]
/** An option that applies from the next start. */
type Startup = ImportedSettings['startup'][number]

/** Options that are read before the database, and so not from it. */
const NEEDED_TO_OPEN = ['database', 'databasePasswordFile', 'databaseWait']
const DATABASE_IS_NAMED =
  'This option is read before the database, so it is not stored there. Use --database, FILEMGR_DATABASE or the configuration file; likewise for the password and the wait.'

/**
 * Checks all values, and groups them by where they are stored. An option of File Browser without effect gives a notice.
 *
 * @throws Fault badRequest (a value is invalid, or the option cannot be stored), notFound (no such option)
 */
function groupedOptions(values: Flags): { live: Live[]; startup: Startup[]; notices: string[] } {
  const live: Live[] = []
  const startup: Startup[] = []
  const notices: string[] = []
  for (const [name, written] of Object.entries(values)) {
    const resolved = resolveName(name)
    if (!resolved) {
      throw new Fault(
        'notFound',
        `There is no option ${name}. \`filemgr config cat\` lists the options.`,
      )
    }
    if (resolved.kind === 'refused' && !isOff(written)) {
      throw new Fault('badRequest', `${name}: ${resolved.why}.`)
    }
    if (resolved.kind !== 'option') {
      notices.push(`${name} is ignored: ${resolved.why}.`)
      continue
    }
    const value = parseAliased(resolved, written)
    if (value === undefined) continue
    const { option } = resolved
    const { key, isLive } = option
    const asWritten = resolved.alias ? value : numberOrText(written)
    if (NEEDED_TO_OPEN.includes(key)) throw new Fault('badRequest', DATABASE_IS_NAMED)
    if (isLive) live.push([key, value])
    else startup.push([key, typeof value === 'number' ? asWritten : value])
  }
  return { live, startup, notices }
}

/**
 * Stores startup options in the database of this installation, or in `file` if one is given. Other configuration files
 * are not changed.
 */
async function storeStartup(
  startup: Startup[],
  core: OpenedCore,
  file: string | undefined,
  io: Io,
): Promise<void> {
  if (file === undefined) {
    await core.installation.put(startup)
    printStored(startup, core, io)
    return
  }
  for (const [key, value] of startup) writeConfigValue(file, key, value)
  if (startup.length > 0)
    io.out(`Wrote ${namesOf(startup)} to ${file}; it applies from the next start.`)
}

/** Prints which options were stored in the database, and which of them a configuration file overrides. */
function printStored(startup: Startup[], { config }: Core, io: Io): void {
  if (startup.length === 0) return
  io.out(`Saved ${namesOf(startup)} in the database; it applies from the next start.`)
  const overridden = startup.filter(([key]) => config.settings.get(key)?.origin === 'file')
  if (overridden.length === 0) return
  io.err(`${config.file} also sets ${namesOf(overridden)}, and takes precedence over the database.`)
}

function namesOf(startup: Startup[]): string {
  return startup.map(([key]) => key).join(', ')
}

/** Whether the value differs from the current one. */
function isChange(config: Config, key: string, written: unknown): boolean {
  const current = config.settings.get(key)
  return (
    current === undefined ||
    !Bun.deepEquals(parseValue(current.option, written), current.value ?? '')
  )
}

/**
 * `--database` and the file with its password select the installation and are not stored.
 *
 * @returns `flags`: the options that select the installation; `unset`: those that name the database, as undefined
 */
function locationOf(flags: Flags): { flags: Flags; unset: Flags } {
  const names = Object.keys(flags).filter((name) => isLocationFlag(name))
  return {
    flags: Object.fromEntries(
      Object.entries(flags).filter(([name]) => name === 'config' || names.includes(name)),
    ),
    unset: Object.fromEntries(names.map((name) => [name, undefined])),
  }
}

function isLocationFlag(attribute: string): boolean {
  const resolved = resolveName(attribute.split(':').at(-1) ?? '')
  return resolved?.kind === 'option' && isLocationOption(resolved.option)
}

/** A value is written to the file as the operator typed it: `2h`, not 7200. */
function numberOrText(written: unknown): unknown {
  return typeof written === 'string' && /^[1-9]\d*$/.test(written) ? Number(written) : written
}

const SECRETS = ['passwordHash', 'recaptcha.secret']

/** Hides the value of a secret. */
function withoutSecret(key: string, value: unknown): unknown {
  return SECRETS.includes(key) && value ? '(set)' : value
}
