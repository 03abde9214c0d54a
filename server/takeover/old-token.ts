/** Issues File Browser's tokens with the key in its database, to query its server as each user (docs/api.md 2). */
import { isTree } from '#server/config/document.ts'
import { fieldOf } from '#server/settings/filebrowser-format.ts'
import { Fault } from '#wire/fault.ts'
import type { OldInstallation } from './old-installation.ts'

const LIFETIME_S = 3600

/** A user of the old database. */
export interface OldUser {
  id: number
  username: string
}

/** All users of the old database. */
export function oldUsersOf({ users = [] }: OldInstallation): OldUser[] {
  return users.filter(isTree).map(({ id, username }) => {
    return { id: Number(id), username: String(username) }
  })
}

/**
 * @returns a function that issues a token for a user
 * @throws Fault badRequest for an installation without a signing key
 */
export function createTokenIssuer({
  settings,
}: OldInstallation): (user: OldUser, nowSec: number) => string {
  const stored = isTree(settings?.settings) ? fieldOf(settings.settings, 'key') : undefined
  if (typeof stored !== 'string') {
    throw new Fault(
      'badRequest',
      'The file does not contain a signing key. Name a copy of filebrowser.db.',
    )
  }
  const key = Buffer.from(stored, 'base64')
  return (user, nowSec) => {
    const claims = { user, iss: 'File Browser', iat: nowSec, exp: nowSec + LIFETIME_S }
    const unsigned = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signature = new Bun.CryptoHasher('sha256', key).update(unsigned).digest('base64url')
    return `${unsigned}.${signature}`
  }
}
