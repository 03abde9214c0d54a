/** The first steps: setup tasks that are left for the first administrator. */
import * as api from '#ui/api/accounts/first-steps.ts'
import { withBase } from '#ui/lib/page/location.ts'
import type { FirstSteps } from '#wire/api/first-steps.ts'

export { dismiss as dismissFirstSteps } from '#ui/api/accounts/first-steps.ts'

/**
 * @returns the steps; undefined if none are left
 * @throws Fault forbidden, unavailable
 */
export async function loadFirstSteps(): Promise<FirstSteps | undefined> {
  const steps = await api.read()
  return steps.isDue ? steps : undefined
}

/** Whether a host name is a loopback name. On another device the same name means that device. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

/** @returns URLs by which a phone reaches this server: the one of this page, or one for each address of the machine */
export function phoneUrls({ hosts }: Pick<FirstSteps, 'hosts'>): string[] {
  const { hostname, origin, protocol, port } = location
  const origins = isLoopback(hostname)
    ? hosts.map((host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`)
    : [origin]
  return origins.map((origin) => origin + withBase('/'))
}
