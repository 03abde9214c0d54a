/** Generates commander flags from the table of options. */
import { type Command, Option as Flag } from 'commander'
import { type ResolvedName, resolveName } from '#server/config/aliases.ts'
import type { Option } from '#server/config/option.ts'
import { envOf, flagOf, OPTIONS } from '#server/config/options.ts'
import type { Io } from './io.ts'

export type Flags = Record<string, unknown>

/** Prefix of the attributes of table options among a command's own flags. */
const ATTRIBUTE_PREFIX = 'option:'

/**
 * Adds a flag for each option that `isIncluded` selects. Names with other capitals, dashes and underscores, and those of
 * File Browser, are accepted too. These other spellings get a hidden flag only if they are in the arguments, because
 * hundreds of flags slow down the start.
 */
export function addOptions(
  command: Command,
  isIncluded: (option: Option) => boolean,
  { args }: Pick<Io, 'args'>,
): Command {
  command.option('-c, --config <file>', 'the configuration file (env FILEMGR_CONFIG)')
  const rows = OPTIONS.filter(isIncluded)
  for (const row of rows) command.addOption(flagFor(row))
  const knownFlags = new Set(command.options.map(({ long }) => long))
  for (const arg of args) {
    const [long = ''] = arg.split('=', 1)
    if (!long.startsWith('--') || knownFlags.has(long)) continue
    knownFlags.add(long)
    const flag = hiddenFlagFor(long.slice(2), rows)
    if (flag) command.addOption(flag)
  }
  return command
}

/** Whether an option says where the database is. Every command that opens the database has these options. */
export function isLocationOption({ key }: { key: string }): boolean {
  return ['database', 'databasePasswordFile'].includes(key)
}

/** The flags on the command line, by their names as they were written. */
export function writtenFlags(flags: Flags): Flags {
  const written: Flags = {}
  for (const [attribute, value] of Object.entries(flags)) {
    if (!attribute.startsWith(ATTRIBUTE_PREFIX) || value === undefined) continue
    written[attribute.slice(ATTRIBUTE_PREFIX.length)] = value === true ? 'true' : value
  }
  return written
}

/**
 * The flag for an option that is written in another way, or with a name of File Browser.
 *
 * @returns undefined if the name is not that of an option in `rows`. Options of File Browser without effect are accepted,
 *   except by commands that have only options for the database.
 */
function hiddenFlagFor(name: string, rows: readonly Option[]): Flag | undefined {
  const resolved = resolveName(name)
  if (!resolved) return undefined
  const isAccepted =
    resolved.kind === 'option' ? rows.includes(resolved.option) : !rows.every(isLocationOption)
  if (!isAccepted) return undefined
  const value = takesValue(name, resolved) ? '<value>' : '[true|false]'
  return flagWithAttribute(`--${name} ${value}`, name).hideHelp()
}

/** Whether a flag for an option has a value; otherwise it is a switch, whose value may be left out. */
export function takesValue(name: string, resolved: ResolvedName): boolean {
  if (resolved.kind === 'refused') return false
  if (resolved.kind === 'ignored') return !/^(disable|lock)/i.test(name)
  return resolved.option.type !== 'flag' && resolved.alias?.value === undefined
}

function flagFor(option: Option): Flag {
  const short = option.short ? `-${option.short}, ` : ''
  const value = option.type === 'flag' ? '[true|false]' : `<${option.value ?? option.type}>`
  const suffix = option.default ? `; default ${option.default}` : ''
  const help = `${option.help} (env ${envOf(option.key)}${suffix})`
  return flagWithAttribute(`${short}--${flagOf(option.key)} ${value}`, option.key, help)
}

function flagWithAttribute(flags: string, name: string, help = ''): Flag {
  const flag = new Flag(flags, help)
  flag.attributeName = () => ATTRIBUTE_PREFIX + name
  return flag
}
