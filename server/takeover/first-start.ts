/** Imports an installation of File Browser at the first start. Its database is not changed. */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { findDatabaseToImport } from '#server/config/database-to-import.ts'
import { openCore, whileCreating } from '#server/core.ts'
import { errnoOf } from '#server/os/errno.ts'
import { flushFolder } from '#server/os/flush.ts'
import { renameNoReplace } from '#server/os/rename.ts'
import { Fault } from '#wire/fault.ts'
import { readOldInstallation } from './old-installation.ts'
import { planImport, type ReportSection } from './plan.ts'
import { runImport } from './run-import.ts'

/** The endings of the files that SQLite creates beside a database. */
const SIDE_FILES = ['-wal', '-shm', '-journal']

export interface FirstImport {
  /** File Browser's database. */
  from: string
  /** The new database. */
  to: string
  report: ReportSection[]
}

/**
 * Imports File Browser's data if this server has no database yet. The import writes a file beside the database, with the
 * ending `.unfinished`, and gives it the name of the database when it is complete. After an interrupted start there is
 * still no database, so the next start imports again. A start that runs at the same time waits, and then finds the
 * database.
 *
 * @param load reads the options; with a path, those for a database at this path
 * @returns undefined if there is nothing to import
 * @throws Fault with a message for the operator; nothing was changed then
 */
export async function importAtFirstStart(
  load: (database?: string) => Config,
): Promise<FirstImport | undefined> {
  const config = load()
  const from = findDatabaseToImport(config)
  if (from === undefined) return undefined
  const { database } = config.paths
  // Otherwise nothing is found.
  if (database.kind !== 'file') return undefined
  const to = database.path
  const root = config.settings.get('root')
  const plan = planImport(readOldInstallation([from]), {
    nowSec: Math.floor(Date.now() / 1000),
    root: root?.origin === 'default' ? undefined : config.text('root'),
    isExecOn: config.flag('exec'),
  })
  return await whileCreating(to, async () => {
    if (existsSync(to)) return undefined
    const unfinished = `${to}.unfinished`
    removeDatabase(unfinished)
    try {
      const core = await openCore(load(unfinished), { isCreating: true })
      let problems: string[]
      try {
        problems = (await runImport(core, plan, { overwrite: false, dryRun: false })).problems
      } finally {
        await core.close()
      }
      if (problems.length > 0) throw refusal(from, problems)
      publish(unfinished, to, from)
    } finally {
      removeDatabase(unfinished)
    }
    return { from, to, report: plan.report }
  })
}

function refusal(from: string, problems: readonly string[]): Fault {
  const advice = `${from} was not imported, because of the problems above. Solve them in File Browser, and start filemgr again. To start without these users and settings, name a new file with --database.`
  return new Fault('conflict', [...problems, advice].join('\n'))
}

/** @throws Fault conflict (the name is taken) */
function publish(unfinished: string, to: string, from: string): void {
  if (existsSync(to)) throw taken(to, from)
  // SQLite would apply the log of a deleted database to the new one.
  for (const ending of SIDE_FILES) rmSync(to + ending, { force: true })
  const folder = openSync(dirname(to), 'r')
  try {
    renameNoReplace([folder, basename(unfinished)], [folder, basename(to)])
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw taken(to, from)
    // The file system lacks the call; the lock of the folder excludes other processes of filemgr.
    renameSync(unfinished, to)
  } finally {
    closeSync(folder)
    // So that the name survives a power failure.
    flushFolder(dirname(to))
  }
}

function taken(to: string, from: string): Fault {
  return new Fault(
    'conflict',
    `${to} was created by another program during the import of ${from}, which was not imported. To import it into this database, run \`filemgr import ${from}\`.`,
  )
}

function removeDatabase(path: string): void {
  for (const ending of ['', ...SIDE_FILES]) rmSync(path + ending, { force: true })
}
