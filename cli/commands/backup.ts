/** filemgr backup, restore, export: an installation in one file. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exportUsers } from '#server/accounts/users/import-export.ts'
import { writeBackup } from '#server/backup/backup.ts'
import { restoreBackup, restoreToServer } from '#server/backup/restore.ts'
import { databaseText } from '#server/config/database-address.ts'
import { writeDocument } from '#server/config/document.ts'
import { exportSettings } from '#server/settings/import-export.ts'
import { exportShares } from '#server/shares/import-export.ts'
import { readConfig } from '../config.ts'
import { withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'

export function backupCommand(program: Command, io: Io): void {
  const command = program
    .command('backup')
    .description(
      'write users, settings, shares and branding to one file, also while the server runs',
    )
    .argument('<file>')
    .action((file: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const { path, files, notices } = await writeBackup(core, resolve(file))
        for (const notice of notices) io.err(notice)
        io.out(`Wrote ${path}.`)
        for (const name of files) io.out(`It contains ${name}.`)
        io.err('It does not contain the served files.')
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr backup /backup/filemgr-monday.db')
  addOptions(command, isLocationOption, io)
}

export function restoreCommand(program: Command, io: Io): void {
  const command = program
    .command('restore')
    .description('replace the database with a backup')
    .argument('<file>')
    .option(
      '--overwrite',
      'replace an existing database file, which is renamed, or the rows of a PostgreSQL database',
    )
    .option(
      '--files',
      'also write the configuration file and the branding, to the paths in the backup; only for backups that you trust',
    )
    .action(async (file: string, flags: Flags) => {
      const { database } = readConfig(io, flags).paths
      const options = { overwrite: flags.overwrite === true, files: flags.files === true }
      const { replaced, written, unchanged, notRestored } =
        database.kind === 'file'
          ? restoreBackup(resolve(file), database.path, options)
          : await restoreToServer(
              resolve(file),
              { url: database.url, password: database.password() },
              options,
            )
      if (replaced !== undefined) io.out(`Renamed the previous database to ${replaced}.`)
      for (const path of written) io.out(`Wrote ${path}.`)
      for (const path of unchanged) io.err(`${path} already exists and was not changed.`)
      for (const path of notRestored)
        io.err(`The backup also contains ${path}; with --files it is written.`)
      io.out(`Restored ${databaseText(database)}.`)
    })
    .addHelpText('after', '\nExample:\n  filemgr restore /backup/filemgr-monday.db --overwrite')
  addOptions(command, isLocationOption, io)
}

export function exportCommand(program: Command, io: Io): void {
  const command = program
    .command('export')
    .description('write settings, users and shares to a .json or .yaml file')
    .argument('<file>')
    .action((file: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        writeDocument(file, {
          ...exportSettings(core.settings.get(), core.config),
          users: exportUsers(await core.users.list()),
          shares: exportShares(await core.shares.listAll()),
        })
        io.out(`Wrote ${resolve(file)}.`)
        io.err('It contains password hashes. Keep it private.')
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr export everything.json')
  addOptions(command, isLocationOption, io)
}
