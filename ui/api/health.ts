/** Checks whether the server is reachable. */
import { API } from '#wire/routes.ts'
import { request } from './request.ts'

/** @throws Fault unavailable if there is no response */
export async function health(): Promise<void> {
  await request(API.health, { anonymous: true })
}
