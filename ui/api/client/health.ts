/** Checks whether the server is reachable. */
import { API } from '#wire/api/routes.ts'
import { request } from './request.ts'

/** @throws Fault unavailable if there is no response, or the status is 502, 503 or 504 */
export async function health(): Promise<void> {
  await request(API.health, { anonymous: true })
}
