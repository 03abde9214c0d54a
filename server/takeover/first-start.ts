/** The first start where File Browser was: its installation is taken over once, and its file stays. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { findUntaken } from '#server/config/untaken-database.ts'
import { openCore } from '#server/core.ts'
import { Fault } from '#wire/fault.ts'
import { takeOver } from './carry-out.ts'
import { readOldInstallation } from './old-installation.ts'
import { planTakeover, type Section } from './plan.ts'

export interface FirstTakeover {
  /** The file of File Browser that was read. */
  from: string
  /** The database that was made. */
  to: string
  report: Section[]
}

/**
 * Takes over what File Browser left, where this server has no database yet. The new database gets its
 * name when it is whole, so that a start that is interrupted begins again.
 *
 * @param load the options, with another database in place of the usual one
 * @returns undefined where there is nothing to take over
 * @throws Fault with a sentence for the operator; nothing was changed then
 */
export function takeOverAtFirstStart(
  load: (database?: string) => Config,
): FirstTakeover | undefined {
  const config = load()
  const from = findUntaken(config)
  if (from === undefined) return undefined
  const to = config.paths.database
  const root = config.settings.get('root')
  const plan = planTakeover(readOldInstallation([from]), {
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
      problems = takeOver(core, plan, { overwrite: false, keep: true }).problems
    } finally {
      core.close()
    }
    if (problems.length > 0) {
      const advice = `${from} was not taken over. Correct it with File Browser, or name another file with --database.`
      throw new Fault('conflict', [...problems, advice].join('\n'))
    }
    renameSync(unfinished, to)
    keepName(to)
  } finally {
    remove()
  }
  return { from, to, report: plan.report }
}

/** Forces the folder to the disk, so that the name survives a power failure. */
function keepName(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
