import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { safeRedirect } from '#ui/lib/page/location.ts'
import { loadLoginProviders, openProvider, takeRedirect } from '#ui/state/session/provider-login.ts'
import { session } from '#ui/state/session/session.ts'
import type { ShownProvider } from '#wire/api/identity.ts'
import './ProviderButtons.css'

/** A button for each provider below the form for the password. If an administrator chose so, one is opened by itself. */
export function ProviderButtons() {
  const { t } = useTranslation()
  const { endedBy } = useSnapshot(session)
  const search = useSearch()
  const [providers, setProviders] = useState<readonly ShownProvider[]>([])
  const query = new URLSearchParams(search)
  const returnTo = query.has('redirect') ? safeRedirect(query.get('redirect')) : ''

  useEffect(() => {
    let isLeft = false
    // Without a response, the form for the password remains.
    loadLoginProviders()
      .then((loaded) => {
        if (isLeft) return
        setProviders(loaded.providers)
        const chosen = takeRedirect(loaded, { query: new URLSearchParams(search), endedBy })
        if (chosen !== '') openProvider(chosen, returnTo)
      })
      .catch(() => undefined)
    return () => {
      isLeft = true
    }
  }, [search, endedBy, returnTo])

  if (providers.length === 0) return null
  return (
    <div className="ProviderButtons">
      {providers.map(({ id, label }) => (
        <Button key={id} wide onClick={() => openProvider(id, returnTo)}>
          {t('settings.identity.with', { name: label })}
        </Button>
      ))}
    </div>
  )
}
