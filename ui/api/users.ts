/** People. */
import { API } from '#wire/routes.ts'
import type { Preferences } from '#wire/user.ts'
import { request } from './request.ts'

/** Changes preferences of one's own account; only the fields given are touched. */
export async function savePreferences(id: number, changes: Partial<Preferences>): Promise<void> {
  const body = JSON.stringify({
    what: 'user',
    which: Object.keys(changes),
    data: { id, ...changes },
  })
  const headers = { 'Content-Type': 'application/json' }
  await request(`${API.users}/${id}`, { method: 'PUT', body, headers })
}
