/** The settings in the page of the interface, which anyone can read. */
import type { Config } from '#server/config/config.ts'
import type { AuthMethod, GlobalSettings, PublicSettings } from '#wire/api/settings.ts'

export interface InstanceInfo {
  baseURL: string
  version: string
  readOnly: boolean
  /** Whether videos and audio files have previews. */
  mediaThumbs: boolean
  pdfThumbs: boolean
  documentThumbs: boolean
  /** Whether commands are enabled. */
  exec: boolean
}

/** The settings for anonymous browsers. Fields are listed one by one, so that new ones stay private. */
export function publicSettings(
  settings: GlobalSettings,
  { args, text, flag }: Config,
  instance: InstanceInfo,
): Omit<PublicSettings, 'CSS' | 'Logo' | 'PasskeyOrigin' | 'SecondFactorDue'> {
  // The option allows only these values.
  const method = text('auth.method') as AuthMethod
  const captcha =
    method === 'json' && text('recaptcha.key') !== '' && text('recaptcha.secret') !== ''
  return {
    Name: settings.branding.name || 'filemgr',
    Color: settings.branding.color,
    Theme: settings.branding.theme,
    DisableExternal: settings.branding.disableExternal,
    DisableUsedPercentage: settings.branding.disableUsedPercentage,
    BaseURL: instance.baseURL,
    StaticURL: `${instance.baseURL}/static`,
    Version: instance.version,
    Signup: settings.signup,
    HideLoginButton: settings.hideLoginButton,
    PasswordHelp: settings.passwordHelp,
    PasswordLengthMin: settings.minimumPasswordLength,
    AuthMethod: method,
    NoAuth: method === 'noauth',
    LoginPage: method === 'json' || method === 'hook',
    LogoutPage: text('auth.logoutPage'),
    PublicAddress: settings.publicAddress,
    ReCaptcha: captcha,
    ReCaptchaKey: captcha ? text('recaptcha.key') : '',
    ReCaptchaHost: captcha ? text('recaptcha.host').replace(/\/+$/, '') : '',
    EnableThumbs: flag('thumbnails'),
    EnableMediaThumbs: instance.mediaThumbs && flag('thumbnails'),
    EnablePdfThumbs: instance.pdfThumbs && flag('thumbnails'),
    EnableDocumentThumbs: instance.documentThumbs && flag('thumbnails'),
    ResizePreview: flag('resizePreview'),
    EnableExec: instance.exec,
    ReadOnly: instance.readOnly,
    KeepsDeleted: flag('trash') && args('trashExcept').length === 0,
    Imports: args('importHosts').length > 0,
    TusSettings: settings.tus,
  }
}
