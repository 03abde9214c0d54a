/** Starts the interface. */

import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { subscribe } from 'valtio'
import { setLanguage } from '#ui/i18n/language.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { loadCaptcha } from '#ui/lib/page/captcha.ts'
import { forgetFailures } from '#ui/lib/urls/thumbnail-queue.ts'
import { watchHistory } from '#ui/state/dialogs/navigation-guard.ts'
import { watchClipboard } from '#ui/state/folder/clipboard.ts'
import { startFolderEvents } from '#ui/state/folder/folder-events.ts'
import { retryListing } from '#ui/state/folder/listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { onReconnect, watchConnection } from '#ui/state/session/connection.ts'
import { restoreSession, session, watchSession } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { followAppearance } from '#ui/state/view/appearance.ts'
import { applyTheme } from '#ui/state/view/theme.ts'
import { App } from './App.tsx'
import { followLanguage } from './follow-language.ts'
import { loadLoginPage } from './Login.tsx'
import { registerWorker } from './register-worker.ts'

/** Loads settings, language and session, then renders the page. */
export async function boot(mount: HTMLElement): Promise<void> {
  applyTheme()
  subscribe(settings, applyTheme)
  followAppearance()
  watchHistory()
  watchSession()
  watchClipboard()
  watchConnection()
  startFolderEvents()
  onReconnect(() => {
    forgetFailures()
    void retryListing()
  })
  await restoreSession()
  // Loaded beside the captcha and the texts. The page says so if that fails.
  const login = session.user ? undefined : loadLoginPage().catch(() => undefined)
  if (settings.ReCaptcha && !session.user) await captchaOrNone()
  // Without its texts, the page is shown in English.
  await setLanguage(languageTags()).catch(toastError)
  followLanguage()
  await login
  createRoot(mount).render(createElement(App))
  registerWorker()
}

/** The login page waits for the captcha (docs/specification.md 2), but not if its script cannot be loaded. */
async function captchaOrNone(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, UI_LIMITS.captchaWaitMs))
  await Promise.race([loadCaptcha(settings.ReCaptchaHost).catch(() => undefined), timeout])
}

/** The user's language, else the browser's; `?lang=` overrides it during development. */
function languageTags(): string[] {
  const override = import.meta.env.DEV ? new URLSearchParams(location.search).get('lang') : null
  return [override, session.user?.locale, ...navigator.languages].filter((tag) => tag != null)
}
