/** What the page carries for anyone, signed in or not. */
import type { Config } from '#server/config/config.ts'
import type { AuthMethod, GlobalSettings, PublicSettings } from '#wire/settings.ts'

export interface InstanceInfo {
  baseURL: string
  version: string
  readOnly: boolean
  /** Films and songs can have pictures. */
  mediaThumbs: boolean
  /** Commands may run. */
  exec: boolean
}

/**
 * What an anonymous browser may know, but for what lies in the operator's folder. Fields are chosen one by one: nothing
 * leaks by default.
 */
export function publicSettings(
  settings: GlobalSettings,
  { args, text, flag }: Config,
  around: InstanceInfo,
): Omit<PublicSettings, 'CSS' | 'Logo'> {
  // The option's choices are these.
  const method = text('auth.method') as AuthMethod
  const captcha =
    method === 'json' && text('recaptcha.key') !== '' && text('recaptcha.secret') !== ''
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
    AuthMethod: method,
    NoAuth: method === 'noauth',
    LoginPage: method === 'json' || method === 'hook',
    LogoutPage: text('auth.logoutPage'),
    ReCaptcha: captcha,
    ReCaptchaKey: captcha ? text('recaptcha.key') : '',
    ReCaptchaHost: captcha ? text('recaptcha.host').replace(/\/+$/, '') : '',
    EnableThumbs: flag('thumbnails'),
    EnableMediaThumbs: around.mediaThumbs && flag('thumbnails'),
    ResizePreview: flag('resizePreview'),
    EnableExec: around.exec,
    ReadOnly: around.readOnly,
    KeepsDeleted: flag('trash') && args('trashExcept').length === 0,
    TusSettings: settings.tus,
  }
}
