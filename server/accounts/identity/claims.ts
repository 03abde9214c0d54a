/** Reads the claims of a provider: names, groups, and what they mean for a user. */
import type { ProviderOptions } from '#wire/api/identity.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Groups that are read, and characters of each. */
const GROUPS_MAX = 1000
const GROUP_MAX_CHARS = 256
const LABEL_MAX_CHARS = 256

/**
 * A claim by its name, or by a path such as `realm_access.roles`. A name with dots, such as an address, is tried first.
 *
 * @returns undefined if it is absent; `null` counts as absent
 */
function findClaim(claims: Claims, path: string): unknown {
  if (path === '') return undefined
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    // An object with this member.
    value = (value as Claims)[name]
  }
  return value ?? undefined
}

/**
 * The groups of a user. A text is one group, `true` is the group `true`.
 *
 * @returns undefined if the claim is absent, which is not the same as an empty list
 */
export function groupsIn(claims: Claims, path: string): string[] | undefined {
  const value = findClaim(claims, path)
  if (value === undefined) return undefined
  const values: unknown[] = Array.isArray(value) ? value : value === false ? [] : [value]
  return values
    .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
    .map((one) => String(one).slice(0, GROUP_MAX_CHARS))
    .filter((one) => one !== '')
    .slice(0, GROUPS_MAX)
}

/** The name of a new user: the chosen claim, or the part of the address before `@`; empty if there is neither. */
export function usernameIn(
  claims: Claims,
  { nameClaim }: Pick<ProviderOptions, 'nameClaim'>,
): string {
  const name = findClaim(claims, nameClaim)
  if (typeof name === 'string' && name.trim() !== '') return name.trim()
  const { email } = claims
  return typeof email === 'string' ? (email.split('@')[0] ?? '').trim() : ''
}

/** What people call the account at the provider: for texts only. */
export function labelIn(claims: Claims): string {
  const names = [claims.email, claims.preferred_username, claims.name, claims.sub]
  const label = names.find((name) => typeof name === 'string' && name !== '')
  return String(label ?? '').slice(0, LABEL_MAX_CHARS)
}

/** Whether one of the groups is in the list. */
export function isMember(groups: readonly string[] | undefined, of: readonly string[]): boolean {
  return groups?.some((group) => of.includes(group)) ?? false
}
