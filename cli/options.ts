/** The option table as commander flags: generated, not retyped. */
import { type Command, Option as Flag } from 'commander'
import { envOf, flagOf, OPTIONS, type Option } from '#server/config/options.ts'

export type Flags = Record<string, unknown>

/** Adds a flag for each row that `wanted` picks. */
export function addOptions(command: Command, wanted: (option: Option) => boolean): Command {
  command.option('-c, --config <file>', 'the configuration file (env FILEMGR_CONFIG)')
  for (const option of OPTIONS) if (wanted(option)) command.addOption(flagFor(option))
  return command
}

/** What was written on the command line, by option key. */
export function writtenFlags(flags: Flags): Flags {
  const written: Flags = {}
  for (const { key } of OPTIONS) {
    const value = flags[attributeOf(key)]
    if (value !== undefined) written[key] = value === true ? 'true' : value
  }
  return written
}

function flagFor(option: Option): Flag {
  const short = option.short ? `-${option.short}, ` : ''
  const value = option.type === 'flag' ? ' [true|false]' : ` <${option.value ?? option.type}>`
  const standard = option.default ? `; default ${option.default}` : ''
  const flag = new Flag(
    `${short}--${flagOf(option.key)}${value}`,
    `${option.help} (env ${envOf(option.key)}${standard})`,
  )
  flag.attributeName = () => attributeOf(option.key)
  return flag
}

/** Commander wants one word; `branding.name` becomes `branding_name`. */
function attributeOf(key: string): string {
  return key.replace('.', '_')
}
