/** Active sessions of users. */
import * as api from '#ui/api/accounts/sessions.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { isFault } from '#wire/fault.ts'

/**
 * @returns one's own sessions, or those of all users: the current session first, then the last active ones
 * @throws Fault forbidden, unavailable
 */
export async function listSessions(owner: 'mine' | 'all'): Promise<SessionInfo[]> {
  const sessions = await api.list(owner === 'all')
  return sessions.sort((a, b) => Number(b.current) - Number(a.current) || byLastActivity(a, b))
}

/**
 * Ends sessions. A session that has already ended is no error.
 *
 * @throws Fault forbidden, unavailable
 */
export async function endSessions(sessions: readonly SessionInfo[]): Promise<void> {
  const ends = sessions.map(({ id }) =>
    api.end(id).catch((error: unknown) => {
      if (!isFault(error, 'notFound')) throw error
    }),
  )
  await Promise.all(ends)
}

function byLastActivity(a: SessionInfo, b: SessionInfo): number {
  return b.seen.localeCompare(a.seen)
}
