/** filemgr users export and import: users as a file (docs/api.md 9.5). */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exportUsers, readUsers } from '#server/accounts/users/import-export.ts'
import { readDocument, writeDocument } from '#server/config/document.ts'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { type OpenedCore, withCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'

const BACKUP = 'users.backup'

export function exportUsersCommand(users: Command, io: Io): void {
  const command = users
    .command('export')
    .description('write all users, with their password hashes, to a .json, .yaml or .yml file')
    .argument('<file>')
    .action((path: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        writeDocument(path, exportUsers(await core.users.list()))
        io.out(`Wrote ${resolve(path)}.`)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr users export users.json')
  addOptions(command, isLocationOption, io)
}

export function importUsersCommand(users: Command, io: Io): void {
  const command = users
    .command('import')
    .description(
      'import users from a file of `users export` of filemgr or File Browser: all of them or none',
    )
    .argument('<file>')
    .option('--overwrite', 'replace existing users with the same id')
    .option(
      '--dry-run',
      'check the file, print what would be refused or adapted, and change nothing',
    )
    .option(
      '--replace',
      'first write all users to users.backup.json in the current folder (with a number if it exists), then remove them',
    )
    .action((path: string, flags: Flags) => {
      const { users: imported, notices, problems } = readUsers(readDocument(path))
      const replace = flags.replace === true
      const options = { overwrite: flags.overwrite === true, replace }
      for (const notice of notices) io.err(notice)
      const isDryRun = flags.dryRun === true
      const importInto = async (core: OpenedCore) => {
        refuseAll(
          [...problems, ...(await core.users.tryImport(imported, options, { dryRun: true }))],
          path,
        )
        if (isDryRun) {
          io.out(
            `${usersText(imported.length)} can be imported from ${resolve(path)}. Nothing was changed.`,
          )
          return
        }
        if (replace && (await core.users.count()) > 0) {
          const backup = freeName()
          writeDocument(backup, exportUsers(await core.users.list()))
          io.out(`Wrote the previous users to ${resolve(backup)}.`)
        }
        await core.users.importUsers(imported, options)
        await recordChange(core, 'addUser', { users: imported.map(({ username }) => username) })
        io.out(`Imported ${usersText(imported.length)} from ${resolve(path)}.`)
      }
      return withCore(io, flags, importInto, { isDryRun })
    })
    .addHelpText('after', '\nExample:\n  filemgr users import users.json --overwrite')
  addOptions(command, isLocationOption, io)
}

/** @throws Fault badRequest that lists all problems */
export function refuseAll(problems: readonly string[], path: string): void {
  if (problems.length === 0) return
  throw new Fault(
    'badRequest',
    [...inOrder(problems), `Nothing was imported from ${path}.`].join('\n'),
  )
}

function usersText(count: number): string {
  return count === 1 ? '1 user' : `${count} users`
}

/** Problems that begin with `entry N` in the order of N, followed by the others. */
function inOrder(problems: readonly string[]): string[] {
  const numberOf = (problem: string) => Number(/^entry (\d+)\b/.exec(problem)?.[1] ?? Infinity)
  return problems.toSorted((a, b) =>
    numberOf(a) < numberOf(b) ? -1 : numberOf(a) > numberOf(b) ? 1 : 0,
  )
}

/** A name for the backup that no file has, so that an earlier backup is never overwritten. */
function freeName(): string {
  for (let number = 0; ; number += 1) {
    const name = `${BACKUP}${number === 0 ? '' : `.${number}`}.json`
    if (!existsSync(name)) return name
  }
}
