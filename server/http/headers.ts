/** Headers that every answer carries, and the policies of pages and of people's own bytes. */
/** For the API: nothing of it is a page, nothing of it is kept. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * For bytes that people brought: no script, no form, no origin of ours (docs/decisions.md 18). Pictures and
 * media still show.
 */
export const USER_BYTES_POLICY =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** For the operator's pictures and stylesheet, should somebody open one by itself. */
export const BRANDING_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/**
 * For our own page: scripts and styles of a page's own by nonce alone, nothing from elsewhere but the
 * captcha, where one is asked for.
 *
 * @param captchaHost `https://host`, or empty
 * @param bytesOrigin where people's files are shown from, if not from here; or empty
 */
export function pagePolicy(nonce: string, captchaHost: string, bytesOrigin: string): string {
  const captcha = captchaHost && ` ${captchaHost}`
  const bytes = bytesOrigin && ` ${bytesOrigin}`
  return [
    `default-src 'self'${captcha}`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${bytes}`,
    `media-src 'self' blob:${bytes}`,
    "worker-src 'self' blob:",
    `frame-src 'self' blob:${captcha}${bytes}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For the service worker: it fetches from here, and nothing else. */
export const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"

export const PERMISSIONS_POLICY =
  'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()'

const DEFAULTS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', API_POLICY],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-cache, no-store, must-revalidate'],
] as const

/** Sets what a handler has not set itself. */
export function secure(headers: Headers): void {
  for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value)
}
