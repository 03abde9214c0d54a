import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { PROJECT } from '#ui/lib/page/project.ts'
import { settings } from '#ui/state/session/settings.ts'
import './ProjectLinks.css'

/** The version, and links to the project and its documentation, if external links are allowed. */
export function ProjectLinks() {
  const { t } = useTranslation()
  const { DisableExternal, Version } = useSnapshot(settings)
  const version = t('sidebar.version', { version: Version })
  if (DisableExternal) return <p className="ProjectLinks">{version}</p>
  return (
    <p className="ProjectLinks">
      <a href={PROJECT.home} target="_blank" rel="noopener noreferrer">
        {version}
      </a>
      <a href={PROJECT.documentation} target="_blank" rel="noopener noreferrer">
        {t('sidebar.documentation')}
      </a>
    </p>
  )
}
