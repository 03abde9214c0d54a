/** The settings of the server, for administrators (docs/api.md 1.13). */
import { API } from '#wire/api/routes.ts'
import type { GlobalSettings, SettingsChanges } from '#wire/api/settings.ts'
import { request, requestJson } from '../client/request.ts'

/** @throws Fault forbidden */
export function read(): Promise<GlobalSettings> {
  return requestJson<GlobalSettings>(API.settings)
}

/**
 * Changes the given settings; the others keep their values.
 *
 * @throws Fault badRequest (settings contradict each other)
 */
export async function save(changes: SettingsChanges): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await request(API.settings, { method: 'PUT', body: JSON.stringify(changes), headers })
}
