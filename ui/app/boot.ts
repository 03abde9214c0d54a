/** From a blank page to the interface. */
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { speak } from '#ui/i18n/language.ts'
import { onHealed, watchConnection } from '#ui/state/connection.ts'
import { listing, reloadListing } from '#ui/state/listing.ts'
import { restoreSession, session, watchSession } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { App } from './App.tsx'
import { followLanguage } from './follow-language.ts'

/** Settings, language and session first, then the page. */
export async function boot(mount: HTMLElement): Promise<void> {
  applyBranding()
  watchSession()
  watchConnection()
  onHealed(() => {
    if (listing.status === 'failed') void reloadListing()
  })
  await restoreSession()
  await speak(languageTags())
  followLanguage()
  createRoot(mount).render(createElement(App))
}

/** The person's language, else the browser's; `?lang=` overrides while developing. */
function languageTags(): string[] {
  const asked = import.meta.env.DEV ? new URLSearchParams(location.search).get('lang') : null
  return [asked, session.user?.locale, ...navigator.languages].filter((tag) => tag != null)
}

function applyBranding(): void {
  const root = document.documentElement
  if (settings.Theme) root.dataset.theme = settings.Theme
  if (settings.Color) root.style.setProperty('--brand', settings.Color)
}
