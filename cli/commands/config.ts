/** filemgr config: init, cat, set. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { openOffice } from '#server/app.ts'
import { newConfigFile, writeConfigValue } from '#server/config/file.ts'
import { type Config, databasePath, loadConfig } from '#server/config/load.ts'
import { findOption } from '#server/config/options.ts'
import { parseValue } from '#server/config/values.ts'
import { Fault } from '#wire/fault.ts'
import type { Io } from '../io.ts'
import { isPlaceOption, withOffice } from '../office.ts'
import { addOptions, type Flags, writtenFlags } from '../options.ts'
import { printTable } from '../table.ts'

export function configCommand(program: Command, io: Io): void {
  const config = program.command('config').description('the options: what they are and who said so')
  initConfig(config, io)
  catConfig(config, io)
  setConfig(config, io)
}

function initConfig(config: Command, io: Io): void {
  const init = config
    .command('init')
    .description('make the database with its settings; refuses when there is one')
    .action((flags: Flags) => {
      const loaded = load(io, flags)
      const path = databasePath(loaded, io.env)
      if (existsSync(path)) {
        throw new Fault(
          'conflict',
          `There is a database already: ${path}. Change it with \`filemgr config set\`.`,
        )
      }
      openOffice(loaded, io.env).close()
      io.out(`Made ${path}.`)
    })
    .addHelpText('after', '\nExample:\n  filemgr config init --branding.name "Our files"')
  addOptions(init, (option) => option.owner === 'live' || isPlaceOption(option))
}

function catConfig(config: Command, io: Io): void {
  const cat = config
    .command('cat')
    .description('print every option, its value and where the value comes from')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withOffice(io, flags, (office) => {
        const rows = [...office.config.settings.values()].map(({ option, value, origin }) => {
          const live = option.owner === 'live'
          return {
            key: option.key,
            value: live ? office.settings.getOption(option.key) : secretless(option.key, value),
            origin: live ? 'settings' : origin,
          }
        })
        const cells = rows.map((row) => [row.key, String(row.value ?? ''), row.origin])
        printTable(io, ['OPTION', 'VALUE', 'FROM'], cells, flags.json === true, rows)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr config cat --json')
  addOptions(cat, () => true)
}

function setConfig(config: Command, io: Io): void {
  const set = config
    .command('set')
    .description(
      'change one option: settings in the database, the others in the configuration file',
    )
    .argument('<option>')
    .argument('<value>')
    .action((key: string, written: string, flags: Flags) => {
      const option = findOption(key)
      if (!option)
        throw new Fault('notFound', `There is no option ${key}; \`filemgr config cat\` lists them.`)
      const value = parseValue(option, written)
      if (option.owner === 'live') {
        return withOffice(io, flags, (office) => office.settings.setOption(option.key, value))
      }
      const { file } = load(io, flags)
      const path = file ?? newConfigFile(io.env)
      writeConfigValue(path, option.key, typeof value === 'number' ? numberOrText(written) : value)
      io.out(`Wrote ${option.key} to ${path}; it holds from the next start on.`)
      return undefined
    })
    .addHelpText(
      'after',
      `
Examples:
  filemgr config set port 9000
  filemgr config set branding.name "Our files"`,
    )
  addOptions(set, isPlaceOption)
}

function load(io: Io, flags: Flags): Config {
  const file = flags.config as string | undefined
  return loadConfig({ flags: writtenFlags(flags), env: io.env, file })
}

/** In the file a value stands as the person wrote it: `2h`, not 7200. */
function numberOrText(written: string): string | number {
  return /^[1-9]\d*$/.test(written) ? Number(written) : written
}

function secretless(key: string, value: unknown): unknown {
  return key === 'passwordHash' && value ? '(set)' : value
}
