/** What operators should know of a PostgreSQL database. */
import type { Database } from '../database.ts'
import { isChangedByNewer } from './upgrade.ts'

/** What operators should know, and do. */
export interface DatabaseNotice {
  what: string
  advice: string
}

interface DurabilitySettings {
  fsync: string
  commit: string
  standbys: string
  replicas: number
}

/** @param isRelaxed whether a power failure may lose acknowledged changes */
export async function databaseNotices(
  rows: Database,
  isRelaxed: boolean,
): Promise<DatabaseNotice[]> {
  const durability = await durabilityNotices(rows, isRelaxed)
  if (!(await isChangedByNewer(rows))) return durability
  return [
    ...durability,
    {
      what: 'A newer version of filemgr uses this database too.',
      advice: 'Upgrade this server.',
    },
  ]
}

/** Whether the server keeps what it has acknowledged. */
async function durabilityNotices(rows: Database, isRelaxed: boolean): Promise<DatabaseNotice[]> {
  const found = await rows
    .query<DurabilitySettings, []>(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('synchronous_standby_names') AS standbys,
         (SELECT count(*) FROM pg_stat_replication) AS replicas`,
    )
    .get()
  if (!found) return []
  const { fsync, commit, standbys, replicas } = found
  const notices: DatabaseNotice[] = []
  if (fsync === 'off') {
    notices.push({
      what: 'The PostgreSQL server does not flush its log (fsync = off), so a crash of its machine can destroy the database.',
      advice: 'Set fsync to on.',
    })
  }
  if (isRelaxed) return notices
  if (commit === 'off') {
    notices.push({
      what: 'The PostgreSQL server answers before rows are on its disk (synchronous_commit = off), so its crash loses changes that were acknowledged.',
      advice: 'Set synchronous_commit to on, or start filemgr with --durability relaxed.',
    })
  } else if (replicas > 0 && (standbys === '' || commit === 'local')) {
    notices.push({
      what: 'No standby of the PostgreSQL server is synchronous, so one that takes over may lack changes that were acknowledged.',
      advice: 'Name one in synchronous_standby_names.',
    })
  }
  return notices
}
