/** A browser without a screen: it keeps cookies, follows redirects between sites, and fills in forms of a provider. */

interface Page {
  url: URL
  status: number
  headers: Headers
  text: string
}

const REDIRECTS_MAX = 20

export class TestBrowser {
  /** Origin → name → value. */
  readonly #cookies = new Map<string, Map<string, string>>()

  /**
   * Opens an address, and follows its redirects.
   *
   * @param until stops at a redirect to an address that begins so, and does not open it
   */
  async open(address: string, init: RequestInit = {}, until?: string): Promise<Page> {
    let url = new URL(address)
    let request = init
    for (let count = 0; count < REDIRECTS_MAX; count += 1) {
      const response = await this.send(url.href, request)
      const location = response.headers.get('location')
      const text = await response.text()
      if (!location || response.status < 300 || response.status >= 400) {
        return { url, status: response.status, headers: response.headers, text }
      }
      url = new URL(location, url)
      if (until && url.href.startsWith(until)) {
        return { url, status: response.status, headers: response.headers, text }
      }
      request = {}
    }
    throw new Error(`Too many redirects: ${address}`)
  }

  /** Sends one request with the cookies of its origin. */
  async send(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address)
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, jar)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      const at = pair.indexOf('=')
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Submits the first form of a page, with fields in addition to its hidden ones. */
  submit({ url, text }: Page, fields: Record<string, string>, until?: string): Promise<Page> {
    const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1]
    if (action === undefined) throw new Error(`There is no form: ${text.slice(0, 500)}`)
    const body = new URLSearchParams()
    for (const [input] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1]
      if (name) body.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '')
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return this.open(new URL(action, url).href, { method: 'POST', body }, until)
  }
}
