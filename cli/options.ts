/** Generates commander flags from the table of options. */
import { type Command, Option as Flag } from 'commander'
import { ALIASES, FOREIGN_NAMES, resolveName } from '#server/config/aliases.ts'
import type { Option } from '#server/config/option.ts'
import { envOf, flagOf, OPTIONS } from '#server/config/options.ts'

export type Flags = Record<string, unknown>

/** Prefix of the attributes of table options among a command's own flags. */
const MARK = 'option:'

/** Adds a flag for each option that `isIncluded` selects. File Browser's spellings are accepted and hidden. */
export function addOptions(command: Command, isIncluded: (option: Option) => boolean): Command {
  command.option('-c, --config <file>', 'the configuration file (env FILEMGR_CONFIG)')
  const rows = OPTIONS.filter(isIncluded)
  const usedFlags = new Set(rows.map(({ key }) => flagOf(key)))
  for (const row of rows) command.addOption(flagFor(row))
  for (const [name, isSwitch] of foreignNames(rows)) {
    for (const long of [name, flagOf(name), name.toLowerCase()]) {
      if (usedFlags.has(long)) continue
      usedFlags.add(long)
      command.addOption(
        named(`--${long} ${isSwitch ? '[true|false]' : '<value>'}`, name).hideHelp(),
      )
    }
  }
  return command
}

/** The flags on the command line, by the spelling that was used. */
export function writtenFlags(flags: Flags): Flags {
  const written: Flags = {}
  for (const [attribute, value] of Object.entries(flags)) {
    if (!attribute.startsWith(MARK) || value === undefined) continue
    written[attribute.slice(MARK.length)] = value === true ? 'true' : value
  }
  return written
}

/** All hidden spellings of these options, and those without an option here; and whether each is a switch. */
function foreignNames(rows: readonly Option[]): [name: string, isSwitch: boolean][] {
  const keys = rows.map(({ key, type }): [string, boolean] => [key, type === 'flag'])
  const filebrowser = ALIASES.flatMap(({ name, key, value }): [string, boolean][] => {
    const row = rows.find((option) => option.key === key)
    return row ? [[name, row.type === 'flag' || value !== undefined]] : []
  })
  const withoutOption = rows.length > 1 ? FOREIGN_NAMES : []
  return [
    ...keys,
    ...filebrowser,
    ...withoutOption.map((name): [string, boolean] => [name, isSwitch(name)]),
  ]
}

function isSwitch(name: string): boolean {
  return resolveName(name)?.kind === 'refused' || name.startsWith('disable')
}

function flagFor(option: Option): Flag {
  const short = option.short ? `-${option.short}, ` : ''
  const value = option.type === 'flag' ? '[true|false]' : `<${option.value ?? option.type}>`
  const standard = option.default ? `; default ${option.default}` : ''
  const help = `${option.help} (env ${envOf(option.key)}${standard})`
  return named(`${short}--${flagOf(option.key)} ${value}`, option.key, help)
}

function named(args: string, name: string, help = ''): Flag {
  const flag = new Flag(args, help)
  flag.attributeName = () => MARK + name
  return flag
}
