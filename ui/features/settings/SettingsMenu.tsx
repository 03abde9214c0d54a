import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { Icon, type IconName } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { SETTINGS } from '#ui/lib/location.ts'
import { session } from '#ui/state/session.ts'
import { permits } from '#wire/permissions.ts'
import './SettingsMenu.css'

/** The screens of the settings, and who can open them (docs/specification.md 2). */
const ENTRIES = [
  { name: 'profile', icon: 'user-round', needs: undefined },
  { name: 'shares', icon: 'link', needs: 'share' },
  { name: 'trash', icon: 'trash-2', needs: undefined },
  { name: 'activity', icon: 'history', needs: undefined },
  { name: 'global', icon: 'sliders-horizontal', needs: 'administer' },
  { name: 'users', icon: 'users-round', needs: 'administer' },
] as const satisfies readonly { name: string; icon: IconName; needs: unknown }[]

export type SettingsEntry = (typeof ENTRIES)[number]['name']

/** Links to the screens of the settings that the user can open. */
export function SettingsMenu({ current }: { current: SettingsEntry }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const shown = ENTRIES.filter(({ needs }) => !needs || (user && permits(user.perm, needs)))
  return (
    <nav className="SettingsMenu" aria-label={t('settings.title')}>
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
