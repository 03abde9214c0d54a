/** Whether a PostgreSQL server keeps what it has acknowledged. */
import type { Database } from '../database.ts'

/** What operators should know, and do. */
export interface DurabilityNotice {
  what: string
  advice: string
}

interface DurabilitySettings {
  fsync: string
  commit: string
  standbys: string
  replicas: number
}

/**
 * What operators should know of the server's settings.
 *
 * @param isRelaxed whether a power failure may lose acknowledged changes
 */
export async function durabilityNotices(
  rows: Database,
  isRelaxed: boolean,
): Promise<DurabilityNotice[]> {
  const found = await rows
    .query<DurabilitySettings, []>(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('synchronous_standby_names') AS standbys,
         (SELECT count(*) FROM pg_stat_replication) AS replicas`,
    )
    .get()
  if (!found) return []
  const { fsync, commit, standbys, replicas } = found
  const notices: DurabilityNotice[] = []
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
