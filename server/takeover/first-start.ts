/** Imports an installation of File Browser at the first start. Its database is not changed. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { findDatabaseToImport } from '#server/config/database-to-import.ts'
import { openCore } from '#server/core.ts'
import { Fault } from '#wire/fault.ts'
import { runImport } from './carry-out.ts'
import { readOldInstallation } from './old-installation.ts'
import { planImport, type ReportSection } from './plan.ts'

export interface FirstImport {
  /** File Browser's database. */
  from: string
  /** The new database. */
  to: string
  report: ReportSection[]
}

/**
 * Imports File Browser's data if this server has no database yet. The new database gets its name when it is complete.
 * So after an interrupted start the next start imports again.
 *
 * @param load returns the options with another database path
 * @returns undefined if there is nothing to import
 * @throws Fault with a message for the operator; nothing was changed then
 */
export function importAtFirstStart(load: (database?: string) => Config): FirstImport | undefined {
  const config = load()
  const from = findDatabaseToImport(config)
  if (from === undefined) return undefined
  const to = config.paths.database
  const root = config.settings.get('root')
  const plan = planImport(readOldInstallation([from]), {
    nowSec: Math.floor(Date.now() / 1000),
    root: root?.origin === 'default' ? undefined : config.text('root'),
  })
  const unfinished = `${to}.unfinished`
  const remove = () => {
    for (const ending of ['', '-wal', '-shm']) rmSync(unfinished + ending, { force: true })
  }
  remove()
  try {
    const core = openCore(load(unfinished))
    let problems: string[]
    try {
      problems = runImport(core, plan, { overwrite: false, dryRun: false }).problems
    } finally {
      core.close()
    }
    if (problems.length > 0) {
      const advice = `${from} was not imported. Correct it with File Browser, or name another file with --database.`
      throw new Fault('conflict', [...problems, advice].join('\n'))
    }
    renameSync(unfinished, to)
    flushName(to)
  } finally {
    remove()
  }
  return { from, to, report: plan.report }
}

/** Flushes the folder, so that the name survives a power failure. */
function flushName(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
