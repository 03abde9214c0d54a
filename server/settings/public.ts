/** What the page carries for anyone, signed in or not. */
import type { GlobalSettings, PublicSettings } from '#wire/settings.ts'

export interface Surroundings {
  baseURL: string
  version: string
  readOnly: boolean
}

/** Settings → what an anonymous browser may know. Fields are chosen one by one: nothing leaks by default. */
export function publicSettings(settings: GlobalSettings, around: Surroundings): PublicSettings {
  return {
    Name: settings.branding.name || 'filemgr',
    Color: settings.branding.color,
    Theme: settings.branding.theme,
    DisableExternal: settings.branding.disableExternal,
    DisableUsedPercentage: settings.branding.disableUsedPercentage,
    BaseURL: around.baseURL,
    StaticURL: `${around.baseURL}/static`,
    Version: around.version,
    Signup: settings.signup,
    HideLoginButton: settings.hideLoginButton,
    AuthMethod: 'json',
    NoAuth: false,
    LoginPage: true,
    LogoutPage: '/login',
    ReCaptcha: false,
    ReCaptchaKey: '',
    ReCaptchaHost: '',
    CSS: false,
    EnableThumbs: true,
    ResizePreview: true,
    EnableExec: false,
    ReadOnly: around.readOnly,
    TusSettings: settings.tus,
  }
}
