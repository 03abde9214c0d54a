/** Captchas as reCAPTCHA checks them, at a host of the operator's choice (docs/api.md 3). */
import { Fault } from '#wire/fault.ts'

/** How long the host may take. */
const ANSWER_WITHIN_MS = 10_000

export interface CaptchaSettings {
  /** `https://www.google.com` */
  host: string
  /** Empty asks for no captcha. */
  secret: string
}

/**
 * Asks the host whether a person solved the captcha.
 *
 * @param response what the page got from the captcha
 * @throws Fault wrongCredentials when it was not solved, internal when the host cannot be asked
 */
export async function checkCaptcha(
  { host, secret }: CaptchaSettings,
  response: string | undefined,
): Promise<void> {
  if (secret === '') return
  const refused = new Fault('wrongCredentials', 'The captcha was not solved.')
  if (!response) throw refused
  let answer: Response
  try {
    answer = await fetch(`${host.replace(/\/+$/, '')}/recaptcha/api/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret, response }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    })
  } catch (cause) {
    throw new Fault('internal', 'The captcha service does not answer.', { cause })
  }
  const result: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined
  const solved =
    typeof result === 'object' && result !== null && 'success' in result && result.success
  if (solved !== true) throw refused
}
