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

/** Links to the sections of the global settings. Without commands on the server, there are none of them to set. */
export function GlobalMenu({ current }: { current: GlobalSection }) {
  const { t } = useTranslation()
  const shown = GLOBAL_SECTIONS.filter((name) => name !== 'commands' || settings.EnableExec)
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
