/** Settings in the API. */

import type { Permissions } from '../permissions.ts'
import type { Preferences, Rule } from './user.ts'

export const THEMES = ['', 'light', 'dark'] as const
/** Empty means the system's. */
export type Theme = (typeof THEMES)[number]

export interface Branding {
  name: string
  disableExternal: boolean
  disableUsedPercentage: boolean
  /** A folder of the operator with `custom.css` and `img/`. */
  files: string
  theme: Theme
  /** A CSS colour, or empty. */
  color: string
}

export interface TusSettings {
  /** Bytes. */
  chunkSize: number
  retryCount: number
}

export interface UserDefaults extends Preferences {
  scope: string
  perm: Permissions
  commands: string[]
}

/** The settings that administrators change at run time (docs/api.md 1.13). */
export interface GlobalSettings {
  signup: boolean
  hideLoginButton: boolean
  createUserDir: boolean
  minimumPasswordLength: number
  userHomeBasePath: string
  /** Who must have a second factor. */
  secondFactorFor: SecondFactorFor
  /** From this day on, `2026-12-13`; empty while no one must. */
  secondFactorFrom: string
  /** `https://host/path`, without a slash at the end; empty if it is not known. */
  publicAddress: string
  /** What the login page answers to people who forgot their password; empty: it does not offer the question. */
  passwordHelp: string
  defaults: UserDefaults
  rules: Rule[]
  branding: Branding
  tus: TusSettings
  shell: string[]
  commands: Record<string, string[]>
}

export const SECOND_FACTOR_FOR = ['none', 'administrators', 'all'] as const
export type SecondFactorFor = (typeof SECOND_FACTOR_FOR)[number]

/** Settings to change. Fields that are absent keep their values, also in `defaults`, `branding` and `tus`. */
export interface SettingsChanges
  extends Partial<Omit<GlobalSettings, 'defaults' | 'branding' | 'tus'>> {
  defaults?: Partial<UserDefaults>
  branding?: Partial<Branding>
  tus?: Partial<TusSettings>
}

/** The sign-in method: password, a proxy's header, a command, or none. */
const AUTH_METHODS = ['json', 'proxy', 'hook', 'noauth'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** The settings in the page, readable by anyone. The names are those of `window.FileBrowser`. */
export interface PublicSettings {
  Name: string
  Color: string
  Theme: Theme
  DisableExternal: boolean
  DisableUsedPercentage: boolean
  /** Empty, or `/prefix`. */
  BaseURL: string
  StaticURL: string
  Version: string
  Signup: boolean
  HideLoginButton: boolean
  PasswordHelp: string
  /** So many characters a new password needs. */
  PasswordLengthMin: number
  AuthMethod: AuthMethod
  NoAuth: boolean
  LoginPage: boolean
  LogoutPage: string
  ReCaptcha: boolean
  ReCaptchaKey: string
  /** The origin of the captcha's script: `https://host`. */
  ReCaptchaHost: string
  /** The address at which browsers reach the server, without a slash at the end; empty if it is not set. */
  PublicAddress: string
  /** The origin at which users log in with passkeys, as in `PasskeyList`; empty if no user has one. */
  PasskeyOrigin: string
  /** Whether some users must have a second factor, now or later. */
  SecondFactorDue: boolean
  /** Whether the operator has a stylesheet (`CSS`) and a logo. */
  CSS: boolean
  Logo: boolean
  EnableThumbs: boolean
  /** Whether videos and audio files have previews. */
  EnableMediaThumbs: boolean
  /** Whether PDF files have previews. */
  EnablePdfThumbs: boolean
  EnableDocumentThumbs: boolean
  ResizePreview: boolean
  EnableExec: boolean
  /** The served folder is read-only. */
  ReadOnly: boolean
  /** Deleted files are moved to a trash in every folder of the served disk. */
  KeepsDeleted: boolean
  /** Imports from URLs are enabled. */
  Imports: boolean
  TusSettings: TusSettings
}
