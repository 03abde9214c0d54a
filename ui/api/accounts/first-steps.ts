/** The first steps of a new server's administrator (docs/api.md 25). */
import type { FirstSteps } from '#wire/api/first-steps.ts'
import { API } from '#wire/api/routes.ts'
import { request, requestJson } from '../client/request.ts'

/** @throws Fault forbidden */
export function read(): Promise<FirstSteps> {
  return requestJson<FirstSteps>(API.firstSteps)
}

/**
 * Hides the first steps permanently.
 *
 * @throws Fault forbidden
 */
export async function dismiss(): Promise<void> {
  await request(API.firstSteps, { method: 'DELETE' })
}
