/** Opens the database for a command and closes it afterwards. A running server uses the changes at its next request. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseText } from '#server/config/database-address.ts'
import { refuseEmptyDatabase } from '#server/config/database-to-import.ts'
import { loadConfig } from '#server/config/load.ts'
import { ownCommand } from '#server/config/own-command.ts'
import { type Core, databaseExists, openCore } from '#server/core.ts'
import { rmSync } from '#server/os/remove.ts'
import { Fault } from '#wire/fault.ts'
import { configSources, readConfig } from './config.ts'
import type { Io } from './io.ts'
import type { Flags } from './options.ts'

/** An open core, with the tables that only a server and a few commands use. */
export type OpenedCore = Awaited<ReturnType<typeof openCore>>

/**
 * Opens the database for `work`, and creates a missing one.
 *
 * @param options `isDryRun`: a missing database is replaced by an empty one that is deleted afterwards; `takesOver`: a
 *   new database is for the import of an installation of File Browser
 * @throws errors of `work`, and a Fault for an unusable database
 */
export async function withCore<T>(
  io: Io,
  flags: Flags,
  work: (core: OpenedCore) => T | Promise<T>,
  options: { isDryRun?: boolean; takesOver?: boolean } = {},
): Promise<T> {
  const config = readConfig(io, flags)
  if (!options.isDryRun || (await databaseExists(config.paths.database))) {
    return runAndClose(await openCore(config, options), work)
  }
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-'))
  try {
    const database = join(folder, 'filemgr.db')
    const sources = configSources(io, flags)
    const other = loadConfig({ ...sources, flags: { ...sources.flags, database } })
    return await runAndClose(await openCore(other), work)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Opens the database for a command that needs an existing one, and so creates none.
 *
 * @throws Fault notFound (there is no database)
 */
export async function withExistingCore<T>(
  io: Io,
  flags: Flags,
  work: (core: OpenedCore) => T | Promise<T>,
): Promise<T> {
  // `withCore` prints the notices.
  const config = loadConfig(configSources(io, flags))
  const { database } = config.paths
  if (await databaseExists(database)) return withCore(io, flags, work)
  refuseEmptyDatabase(config)
  const init = ownCommand(config, ['config', 'init'])
  const advice = `\`${init}\` creates one. With --database you name another one.`
  const what = database.kind === 'file' ? 'There is no database at' : 'There are no tables in'
  throw new Fault('notFound', `${what} ${databaseText(database)}. ${advice}`)
}

/**
 * Ends the session of a token that a command has opened. It is ended in this database and not by a request, because the
 * server may not respond, or use another database.
 */
export async function endSession({ sessions }: Core, token: string): Promise<void> {
  const auth = await sessions.authenticate(token, '')
  if (auth) await sessions.end(auth.session.id)
}

async function runAndClose<T>(
  core: OpenedCore,
  work: (core: OpenedCore) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(core)
  } finally {
    await core.close()
  }
}
