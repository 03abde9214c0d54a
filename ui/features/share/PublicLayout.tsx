import { type ReactNode, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Logo } from '#ui/components/icons/Logo.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, LOGIN, withBase } from '#ui/lib/page/location.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import './PublicLayout.css'

/** The frame of pages for visitors: the name of the server, and a link to the login page, or to the user's own files. */
export function PublicLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  // Only a file of a shared folder is worth the whole screen.
  useEffect(() => {
    if (document.fullscreenElement) void document.exitFullscreen()
  }, [])
  return (
    <div className="PublicLayout">
      <header className="PublicLayout__bar">
        <Logo />
        <bdi className="PublicLayout__name">{settings.Name}</bdi>
        {/* A plain link loads a new page, so that the user's own files and a share never mix. */}
        {user ? (
          <a className="PublicLayout__link" href={withBase(`${FILES}/`)}>
            {t('places.home')}
          </a>
        ) : (
          !settings.HideLoginButton && (
            <a className="PublicLayout__link" href={withBase(LOGIN)}>
              {t('sidebar.logIn')}
            </a>
          )
        )}
      </header>
      <main className="PublicLayout__main">{children}</main>
    </div>
  )
}
