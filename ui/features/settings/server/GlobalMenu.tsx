import { Link } from 'wouter'
import { globalSectionTitle } from '#ui/i18n/global-sections.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import {
  GLOBAL_SECTIONS,
  type GlobalSection,
  globalSectionUrl,
} from '#ui/lib/accounts/global-sections.ts'
import { settings } from '#ui/state/session/settings.ts'
import './GlobalMenu.css'

/**
 * Links to the sections of the global settings. Without commands on the server, there are none of them to set; without
 * sign-in by password, there are no providers beside it.
 */
export function GlobalMenu({ current }: { current: GlobalSection }) {
  const { t } = useTranslation()
  const shown = GLOBAL_SECTIONS.filter(isShown)
  return (
    <nav className="GlobalMenu" aria-label={t('settings.global.page')}>
      {shown.map((name) => (
        <Link
          key={name}
          className="GlobalMenu__item"
          href={globalSectionUrl(name)}
          aria-current={name === current ? 'page' : undefined}
        >
          {globalSectionTitle(name)}
        </Link>
      ))}
    </nav>
  )
}

function isShown(section: GlobalSection): boolean {
  if (section === 'commands') return settings.EnableExec
  return section !== 'login' || settings.AuthMethod === 'json'
}
