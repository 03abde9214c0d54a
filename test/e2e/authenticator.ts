/** A device with passkeys, which Chromium simulates (WebAuthn level 3 section 11). */
import type { CDPSession, Page } from 'playwright/test'

export class Authenticator {
  readonly #devTools: CDPSession
  readonly #id: string

  private constructor(devTools: CDPSession, id: string) {
    this.#devTools = devTools
    this.#id = id
  }

  /** Connects a device, whose user touches it and is recognized at once. */
  static async connect(page: Page): Promise<Authenticator> {
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('WebAuthn.enable')
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new Authenticator(devTools, authenticatorId)
  }

  /** @returns how many passkeys the device has */
  async count(): Promise<number> {
    const answer = await this.#devTools.send('WebAuthn.getCredentials', {
      authenticatorId: this.#id,
    })
    return answer.credentials.length
  }

  /** The user loses the device. */
  async lose(): Promise<void> {
    await this.#devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#id })
  }
}
