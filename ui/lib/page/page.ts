/** The public settings that the server embeds in the page. */

import type { PublicSettings } from '#wire/api/settings.ts'
import { LIMITS } from '#wire/limits.ts'

const SETTINGS_ELEMENT = 'settings'

/** The embedded settings, once they are parsed. */
let settings: PublicSettings | undefined

/** The embedded settings; defaults if there are none (the dev server, a unit test). */
export function pageSettings(): PublicSettings {
  settings ??= {
    ...DEFAULTS,
    ...parseSettings(globalThis.document?.getElementById(SETTINGS_ELEMENT)?.textContent),
  }
  return settings
}

/** The nonce of the Content-Security-Policy for this page's own styles and scripts; empty if there is no policy. */
export function pageNonce(): string {
  return globalThis.document?.getElementById(SETTINGS_ELEMENT)?.nonce ?? ''
}

function parseSettings(text: string | null | undefined): Partial<PublicSettings> {
  // The server writes this element from the same type.
  return text?.trim() ? (JSON.parse(text) as PublicSettings) : {}
}

const DEFAULTS: PublicSettings = {
  Name: 'filemgr',
  Color: '',
  Theme: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  BaseURL: '',
  StaticURL: '/static',
  Version: 'dev',
  Signup: false,
  HideLoginButton: false,
  PasswordHelp: '',
  PasswordLengthMin: 12,
  AuthMethod: 'json',
  NoAuth: false,
  LoginPage: true,
  LogoutPage: '/login',
  ReCaptcha: false,
  ReCaptchaKey: '',
  ReCaptchaHost: '',
  PublicAddress: '',
  PasskeyOrigin: '',
  SecondFactorDue: false,
  CSS: false,
  Logo: false,
  EnableThumbs: true,
  EnableMediaThumbs: false,
  EnablePdfThumbs: false,
  EnableDocumentThumbs: false,
  ResizePreview: true,
  EnableExec: false,
  ReadOnly: false,
  KeepsDeleted: true,
  Imports: false,
  TusSettings: { chunkSize: LIMITS.tusChunkDefaultBytes, retryCount: LIMITS.tusRetryDefault },
}
