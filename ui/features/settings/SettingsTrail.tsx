import { Link } from 'wouter'
import { Icon } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, PROFILE } from '#ui/lib/location.ts'
import './SettingsTrail.css'

export interface TrailStep {
  name: string
  /** Absent for where one is. */
  href?: string
}

/** From home through the settings to the screen shown. */
export function SettingsTrail({ steps }: { steps: readonly TrailStep[] }) {
  const { t } = useTranslation()
  const trail = [{ name: t('settings.title'), href: PROFILE }, ...steps]
  return (
    <nav className="SettingsTrail" aria-label={t('places.path')}>
      <ol>
        <li>
          <Link
            className="SettingsTrail__part"
            href={`${FILES}/`}
            title={t('places.home')}
            aria-label={t('places.home')}
          >
            <Icon name="house" />
          </Link>
        </li>
        {trail.map(({ name, href }) => (
          <li key={name}>
            <Icon name="chevron-right" mirror />
            {href ? (
              <Link className="SettingsTrail__part" href={href}>
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <span className="SettingsTrail__part" aria-current="page">
                <bdi>{name}</bdi>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
