/** Where people are signed in. */
import { API, queryString } from '#wire/routes.ts'
import type { SessionInfo } from '#wire/session.ts'
import { request, requestJson } from './request.ts'

/** One's own; with `everybody`, for administrators, all of them. @throws Fault forbidden */
export function list(everybody = false): Promise<SessionInfo[]> {
  const all = everybody || undefined
  return requestJson<SessionInfo[]>(API.sessions + queryString({ all }))
}

/** @throws Fault notFound when it has ended already */
export async function end(id: string): Promise<void> {
  await request(`${API.sessions}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
