import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { formatMoment, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import './UnfinishedList.css'

interface UnfinishedListProps {
  uploads: readonly UnfinishedUpload[]
  onStop(upload: UnfinishedUpload): void
}

/** Unfinished uploads of all users, with buttons that stop them. */
export function UnfinishedList({ uploads, onStop }: UnfinishedListProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={t('settings.unfinished.title')} hint={t('settings.unfinished.hint')}>
      <ul className="UnfinishedList">
        {uploads.map((upload) => (
          <li key={upload.id} className="UnfinishedList__row">
            <div className="UnfinishedList__text">
              <bdi className="UnfinishedList__path" title={shownPath(upload.path)}>
                {shownPath(upload.path)}
              </bdi>
              <span className="UnfinishedList__facts">
                {t('settings.trash.facts', {
                  when: formatMoment(new Date(upload.touched)),
                  name: upload.username,
                })}
                {' · '}
                {t('sidebar.usedOf', {
                  used: formatSize(upload.received),
                  total: formatSize(upload.size),
                })}
              </span>
            </div>
            <IconButton
              icon="x"
              size="s"
              label={t('uploads.abort', { name: shownPath(upload.path) })}
              onClick={() => onStop(upload)}
            />
          </li>
        ))}
      </ul>
    </SettingGroup>
  )
}
