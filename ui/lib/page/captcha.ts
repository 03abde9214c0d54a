/** Loads the script of the captcha service. */

/** The used part of the script's API. `render` returns the id of the widget. */
export interface CaptchaService {
  ready(run: () => void): void
  render(container: HTMLElement, options: CaptchaOptions): number
}

export interface CaptchaOptions {
  sitekey: string
  theme: 'light' | 'dark'
  /** Called after the user has solved the captcha; the sign-in sends the response to the server. */
  callback(response: string): void
  'expired-callback'(): void
}

let loading: Promise<CaptchaService> | undefined

/**
 * Loads the script of `host` once. A failed load can be tried again.
 *
 * @throws Error if the script cannot be loaded
 */
export function loadCaptcha(host: string): Promise<CaptchaService> {
  loading ??= load(host).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

function load(host: string): Promise<CaptchaService> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${host}/recaptcha/api.js?render=explicit`
    script.async = true
    script.onerror = () => {
      script.remove()
      reject(new Error(`The captcha of ${host} could not be loaded.`))
    }
    script.onload = () => {
      const service = loadedService()
      if (service) service.ready(() => resolve(service))
      else reject(new Error(`The script of ${host} has no captcha.`))
    }
    document.head.append(script)
  })
}

/** @returns the API that the script has set as a global; undefined if it has set none */
function loadedService(): CaptchaService | undefined {
  return (globalThis as { grecaptcha?: CaptchaService }).grecaptcha
}
