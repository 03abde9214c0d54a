/** What operators should know of a PostgreSQL database. */
import type { Database } from '../database.ts'
import { isChangedByNewer } from './upgrade.ts'

/** Clocks that differ less disturb nothing. */
const CLOCKS_DIFFER_SEC = 10

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
  const notices = [...(await durabilityNotices(rows, isRelaxed)), ...(await clockNotices(rows))]
  if (await isChangedByNewer(rows)) {
    notices.push({
      what: 'A newer version of filemgr uses this database too.',
      advice: 'Upgrade this server.',
    })
  }
  return notices
}

async function clockNotices(rows: Database): Promise<DatabaseNotice[]> {
  const sentMs = Date.now()
  const found = await rows
    .query<{ ms: number }, []>(
      'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS ms',
    )
    .get()
  const aheadSec = Math.round(((sentMs + Date.now()) / 2 - (found?.ms ?? 0)) / 1000)
  if (Math.abs(aheadSec) < CLOCKS_DIFFER_SEC) return []
  return [
    {
      what: `The clock of this machine is ${Math.abs(aheadSec)} seconds ${aheadSec > 0 ? 'ahead of' : 'behind'} that of the database.`,
      advice:
        'Set both, for example with NTP: one-time codes, and the ends of sessions and shares, depend on them.',
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
