/** Verifies captchas with the reCAPTCHA protocol, at a host that the operator chooses (docs/api.md 3). */
import { Fault } from '#wire/fault.ts'

/** Time limit for the host's response. */
const RESPONSE_WITHIN_MS = 10_000

export interface CaptchaSettings {
  /** `https://www.google.com` */
  host: string
  /** Empty disables the captcha. */
  secret: string
}

/**
 * Asks the host whether the captcha was solved.
 *
 * @param response the value that the captcha widget returned
 * @throws Fault wrongCredentials if the host does not confirm that it was solved, internal if the host does not respond
 */
export async function checkCaptcha(
  { host, secret }: CaptchaSettings,
  response: string | undefined,
): Promise<void> {
  if (secret === '') return
  const refused = new Fault('wrongCredentials', 'The captcha was not solved. Try again.', {
    reason: 'captchaUnsolved',
  })
  if (!response) throw refused
  let verification: Response
  try {
    verification = await fetch(`${host.replace(/\/+$/, '')}/recaptcha/api/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret, response }),
      signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
      redirect: 'error',
    })
  } catch (cause) {
    throw new Fault('internal', 'The captcha service does not respond. Try again later.', { cause })
  }
  const result: unknown = verification.ok
    ? await verification.json().catch(() => undefined)
    : undefined
  const solved =
    typeof result === 'object' && result !== null && 'success' in result && result.success
  if (solved !== true) throw refused
}
