import { useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { SETTINGS_SCREENS, type SettingsScreen } from '#ui/lib/accounts/settings-screens.ts'
import { SETTINGS } from '#ui/lib/page/location.ts'
import { session } from '#ui/state/session/session.ts'
import { permits } from '#wire/permissions.ts'
import './SettingsMenu.css'

/** Links to the screens of the settings that the user can open. */
export function SettingsMenu({ current }: { current: SettingsScreen }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const menu = useRef<HTMLElement>(null)
  const shown = SETTINGS_SCREENS.filter(
    (screen) =>
      !('hasOwnPage' in screen) && (!screen.needs || (user && permits(user.perm, screen.needs))),
  )
  // In narrow windows the links are a row that scrolls.
  useLayoutEffect(() => {
    const link = menu.current?.querySelector(`[href$="/${current}"]`)
    link?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <nav ref={menu} className="SettingsMenu" aria-label={t('settings.title')}>
      {shown.map(({ name, icon }) => (
        <Link
          key={name}
          className="SettingsMenu__item"
          href={`${SETTINGS}/${name}`}
          aria-current={name === current ? 'page' : undefined}
        >
          <Icon name={icon} />
          <span>{t(`settings.${name}.title`)}</span>
        </Link>
      ))}
    </nav>
  )
}
