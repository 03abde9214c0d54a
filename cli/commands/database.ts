/** filemgr database copy: moves an installation from SQLite to PostgreSQL, or back. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { copyBetween } from '#server/backup/database-copy.ts'
import {
  type DatabaseAddress,
  databaseText,
  isServerUrl,
  passwordInArguments,
  readAddress,
  serverAddress,
} from '#server/config/database-address.ts'
import { ownCommand } from '#server/config/own-command.ts'
import { readConfig } from '../config.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags } from '../options.ts'

export function databaseCommand(program: Command, io: Io): void {
  const database = program.command('database').description('move the database')
  const copy = database
    .command('copy')
    .description(
      'copy all rows from a database file to an empty PostgreSQL database, or back to a new file',
    )
    .argument('<from>', 'the database to read; no server may use it')
    .argument('<to>', 'a new file, or an empty database')
    .action((from: string, to: string, flags: Flags) => run([from, to], flags, io))
    .addHelpText('after', EXAMPLES)
  addOptions(copy, ({ key }) => key === 'databasePasswordFile', io)
}

const EXAMPLES = `
Examples:
  filemgr database copy filemgr.db postgres://filemgr@db.example.org/filemgr --database-password-file password
  filemgr database copy postgres://filemgr@db.example.org/filemgr filemgr.db --database-password-file password`

async function run([from, to]: [string, string], flags: Flags, io: Io): Promise<void> {
  const config = readConfig(io, flags)
  const named = config.text('databasePasswordFile')
  const source = addressIn(from, { named, env: io.env })
  const target = addressIn(to, { named, env: io.env })
  const { tables, rows } = await copyBetween(source, target)
  io.out(`Copied ${rows} rows of ${tables} tables, and compared each of them.`)
  const serve = ownCommand({ paths: { ...config.paths, database: target } }, ['serve', 'FOLDER'])
  io.err(`${databaseText(source)} was not changed. To serve with the copy: ${serve}`)
}

/** @throws Fault badRequest */
function addressIn(
  written: string,
  sources: { named: string; env: NodeJS.ProcessEnv },
): DatabaseAddress {
  const { text, password } = readAddress(written)
  if (password !== '') throw passwordInArguments('database copy')
  return isServerUrl(text)
    ? serverAddress(text, '', sources)
    : { kind: 'file', path: resolve(text) }
}
