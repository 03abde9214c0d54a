/** How the interface looks for the user on all devices (docs/api.md 30). */
import type { Appearance } from '#wire/api/appearance.ts'
import { API } from '#wire/api/routes.ts'
import { request, requestJson } from '../client/request.ts'

/** @returns the choices of the user; a field is absent until it is chosen */
export function load(): Promise<Appearance> {
  return requestJson<Appearance>(API.appearance)
}

/** Replaces all choices. */
export async function save(appearance: Appearance): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await request(API.appearance, { method: 'PUT', body: JSON.stringify(appearance), headers })
}
