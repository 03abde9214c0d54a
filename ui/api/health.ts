/** Whether the server answers. */
import { API } from '#wire/routes.ts'
import { request } from './request.ts'

/** @throws Fault unavailable when it does not */
export async function health(): Promise<void> {
  await request(API.health, { anonymous: true })
}
