/** Opens the share of a request. */
import type { OpenedShare, VisitorCredentials } from '#server/shares/share-opener.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import { SHARE_PASSWORD_HEADER } from '#wire/api/share.ts'
import type { AnyCall, AuditNote } from '../context/context.ts'
import { pathIn } from './audit.ts'
import { pathAfter } from './input.ts'

/** Notes the share of a request, and the path in it. */
export function auditPublic(call: AnyCall, action: AuditAction, prefix: string): AuditNote {
  const share = hashIn(call, prefix)
  return { action, share, path: pathIn(call, `${prefix}/${share}`) }
}

/**
 * Opens the share of `/{hash}/{path}` after a prefix.
 *
 * @throws as `ShareOpener.open`
 */
export async function openShare(call: AnyCall, prefix: string): Promise<OpenedShare> {
  const hash = hashIn(call, prefix)
  const { path } = pathAfter(call, `${prefix}/${hash}`)
  const open = await call.var.app.shareOpener.open(hash, path, credentialsOf(call))
  call.set('recheckAccess', () => open.scope.recheck('download', open.path))
  return open
}

/** The hash as it was sent: a path in the share cannot lead to another share. */
function hashIn(call: AnyCall, prefix: string): string {
  const [, hash = ''] = call.var.path.slice(prefix.length).split('/')
  return hash
}

/** The password is percent-encoded, since headers cannot hold every character. */
function credentialsOf(call: AnyCall): VisitorCredentials {
  const encoded = call.req.header(SHARE_PASSWORD_HEADER)
  return {
    password: encoded === undefined ? undefined : decoded(encoded),
    token: call.req.query('token'),
    address: call.var.address,
  }
}

/** @returns undefined if the text does not decode */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
