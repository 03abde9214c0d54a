/** Security headers, and the content policies of pages and user content. */

/** For API responses, which contain no pages. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * For user content: no scripts, no forms, an opaque origin (docs/decisions.md 18). Pictures and media are displayed.
 */
export const USER_BYTES_POLICY =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** For the operator's pictures and stylesheet, if opened directly. */
export const BRANDING_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/**
 * For the interface: its own scripts and styles by nonce only, plus the captcha if configured.
 *
 * @param captchaHost `https://host`, or empty
 * @param contentOrigin the content origin, or empty
 */
export function pagePolicy(nonce: string, captchaHost: string, contentOrigin: string): string {
  const captcha = captchaHost && ` ${captchaHost}`
  const content = contentOrigin && ` ${contentOrigin}`
  return [
    `default-src 'self'${captcha}`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${content}`,
    `media-src 'self' blob:${content}`,
    "worker-src 'self' blob:",
    `frame-src 'self' blob:${captcha}${content}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For the service worker, which connects only to this origin. */
export const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"

/**
 * For the parser of PDF files: it requests nothing. It compiles the decoders of pictures, which the page sends to it;
 * the page itself compiles nothing.
 */
export const PDF_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

export const PERMISSIONS_POLICY =
  'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()'

const DEFAULTS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', API_POLICY],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-cache, no-store, must-revalidate'],
] as const

/** Sets the headers that the handler has not set. */
export function setSecurityHeaders(headers: Headers): void {
  for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value)
}
