/** Starts the interface. */

import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { subscribe } from 'valtio'
import { setLanguage } from '#ui/i18n/language.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { loadCaptcha } from '#ui/lib/page/captcha.ts'
import { forgetFailures } from '#ui/lib/urls/thumbnail-queue.ts'
import { followAppearance } from '#ui/state/appearance.ts'
import { watchClipboard } from '#ui/state/clipboard.ts'
import { onReconnect, watchConnection } from '#ui/state/connection.ts'
import { startFolderEvents } from '#ui/state/folder-events.ts'
import { retryListing } from '#ui/state/listing.ts'
import { watchHistory } from '#ui/state/navigation-guard.ts'
import { restoreSession, session, watchSession } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { applyTheme } from '#ui/state/theme.ts'
import { toastError } from '#ui/state/toasts.ts'
import { App } from './App.tsx'
import { followLanguage } from './follow-language.ts'
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
  if (settings.ReCaptcha && !session.user) await captchaOrNone()
  // Without its texts, the page is shown in English.
  await setLanguage(languageTags()).catch(toastError)
  followLanguage()
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
