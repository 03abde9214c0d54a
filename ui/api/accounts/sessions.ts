/** Requests for the active sessions of users. */
import { API, queryString } from '#wire/api/routes.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * @returns one's own sessions; with `ofAllUsers`, for administrators, those of all users
 * @throws Fault forbidden
 */
export function list(ofAllUsers = false): Promise<SessionInfo[]> {
  const all = ofAllUsers || undefined
  return requestJson<SessionInfo[]>(API.sessions + queryString({ all }))
}

/** @throws Fault notFound if it has already ended */
export async function end(id: string): Promise<void> {
  await request(`${API.sessions}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
