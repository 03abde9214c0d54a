import { Crumbs } from '#ui/components/controls/Crumbs.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, PROFILE } from '#ui/lib/page/location.ts'
import './SettingsBreadcrumbs.css'

export interface SettingsCrumb {
  name: string
  /** Undefined for the current screen. */
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
    <div className="SettingsBreadcrumbs">
      <Crumbs
        parts={[
          { key: FILES, name: t('places.home'), href: `${FILES}/`, icon: 'home', isIconOnly: true },
          ...crumbs.map(({ name, href }) => ({ key: name, name, href })),
        ]}
      />
    </div>
  )
}
