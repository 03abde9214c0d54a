import { Link } from 'wouter'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, PROFILE } from '#ui/lib/page/location.ts'
import './SettingsBreadcrumbs.css'

export interface SettingsCrumb {
  name: string
  /** Undefined for the present screen. */
  href?: string
}

interface SettingsBreadcrumbsProps {
  steps: readonly SettingsCrumb[]
  /** Whether the screen is a page of its own, which is not part of the settings. */
  hasOwnPage?: boolean
}

/** Breadcrumbs from home through the settings to the shown screen. */
export function SettingsBreadcrumbs({ steps, hasOwnPage = false }: SettingsBreadcrumbsProps) {
  const { t } = useTranslation()
  const crumbs = hasOwnPage ? steps : [{ name: t('settings.title'), href: PROFILE }, ...steps]
  return (
    <nav className="SettingsBreadcrumbs" aria-label={t('places.path')}>
      <ol>
        <li>
          <Link
            className="SettingsBreadcrumbs__part"
            href={`${FILES}/`}
            title={t('places.home')}
            aria-label={t('places.home')}
          >
            <Icon name="home" />
          </Link>
        </li>
        {crumbs.map(({ name, href }) => (
          <li key={name}>
            <Icon name="chevron-right" mirror />
            {href ? (
              <Link className="SettingsBreadcrumbs__part" href={href}>
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <span className="SettingsBreadcrumbs__part" aria-current="page">
                <bdi>{name}</bdi>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
