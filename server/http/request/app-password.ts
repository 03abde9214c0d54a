/** The app password of a request: in `Authorization` (RFC 7617, RFC 6750), or in the header of File Browser's clients. */
import type { HonoRequest } from 'hono'
import type { PresentedSecret } from '#server/accounts/app-passwords/app-password-access.ts'
import { looksLikeSecret } from '#server/accounts/app-passwords/secret.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'

/**
 * @returns undefined if the request has none. Other credentials are ignored: a proxy in front of the server may pass on
 *   those that were meant for it.
 */
export function presentedSecret(req: Pick<HonoRequest, 'header'>): PresentedSecret | undefined {
  const token = req.header(TOKEN_HEADER)
  if (token !== undefined && looksLikeSecret(token)) return { text: token, username: undefined }
  const [, scheme = '', value = ''] =
    req.header('authorization')?.match(/^(basic|bearer) +(\S+) *$/i) ?? []
  const sent =
    scheme.toLowerCase() === 'basic' ? basicOf(value) : { text: value, username: undefined }
  return scheme !== '' && looksLikeSecret(sent.text) ? sent : undefined
}

/** Whether a request has a name and a password, of any kind. */
export function hasBasicCredentials(req: Pick<HonoRequest, 'header'>): boolean {
  return /^basic +\S/i.test(req.header('authorization') ?? '')
}

/** A user name contains no colon (RFC 7617 section 2). */
function basicOf(value: string): PresentedSecret {
  const decoded = Buffer.from(value, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon < 0
    ? { text: '', username: undefined }
    : { text: decoded.slice(colon + 1), username: decoded.slice(0, colon) }
}
