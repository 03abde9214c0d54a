/** Settings as they travel. */

import type { Permissions } from './permissions.ts'
import type { Preferences, Rule } from './user.ts'

export const THEMES = ['', 'light', 'dark'] as const
/** Empty follows the system. */
export type Theme = (typeof THEMES)[number]

export interface Branding {
  name: string
  disableExternal: boolean
  disableUsedPercentage: boolean
  /** A folder of the operator's: `custom.css` and `img/`. */
  files: string
  theme: Theme
  /** One CSS colour, or empty. */
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

/** What administrators change while the server runs (docs/api.md 1.13). */
export interface GlobalSettings {
  signup: boolean
  hideLoginButton: boolean
  createUserDir: boolean
  minimumPasswordLength: number
  userHomeBasePath: string
  defaults: UserDefaults
  rules: Rule[]
  branding: Branding
  tus: TusSettings
  shell: string[]
  commands: Record<string, string[]>
}

/** How people sign in: by password, a proxy's header, a command, or not at all. */
const AUTH_METHODS = ['json', 'proxy', 'hook', 'noauth'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** What the page carries for anyone, signed in or not. Names are those of `window.FileBrowser`. */
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
  AuthMethod: AuthMethod
  NoAuth: boolean
  LoginPage: boolean
  LogoutPage: string
  ReCaptcha: boolean
  ReCaptchaKey: string
  /** Where the captcha's script comes from: `https://host`. */
  ReCaptchaHost: string
  /** The operator brings a stylesheet, and a logo. */
  CSS: boolean
  Logo: boolean
  EnableThumbs: boolean
  /** Films and songs have previews too. */
  EnableMediaThumbs: boolean
  ResizePreview: boolean
  EnableExec: boolean
  /** Nothing may be changed: the served folder cannot be written. */
  ReadOnly: boolean
  /** What is deleted goes to a trash, in every folder of the served disk. */
  KeepsDeleted: boolean
  TusSettings: TusSettings
}
