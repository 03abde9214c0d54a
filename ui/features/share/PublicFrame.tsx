import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Logo } from '#ui/components/Logo.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, LOGIN, withBase } from '#ui/lib/location.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import './PublicFrame.css'

/** The page of people who have no account: whose it is, and the way in for those who have one. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  return (
    <div className="PublicFrame">
      <header className="PublicFrame__bar">
        <Logo />
        <bdi className="PublicFrame__name">{settings.Name}</bdi>
        {/* A page of its own: the files of whoever is signed in never share one with a stranger's. */}
        {user ? (
          <a className="PublicFrame__door" href={withBase(`${FILES}/`)}>
            {t('places.home')}
          </a>
        ) : (
          !settings.HideLoginButton && (
            <a className="PublicFrame__door" href={withBase(LOGIN)}>
              {t('sidebar.logIn')}
            </a>
          )
        )}
      </header>
      <main className="PublicFrame__main">{children}</main>
    </div>
  )
}
