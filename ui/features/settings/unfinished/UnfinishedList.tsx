import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { formatMoment, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { AccessList } from '../rows/AccessList.tsx'
import { AccessRow } from '../rows/AccessRow.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'

interface UnfinishedListProps {
  uploads: readonly UnfinishedUpload[]
  onStop(upload: UnfinishedUpload): void
}

/** Unfinished uploads of all users, with buttons that stop them. */
export function UnfinishedList({ uploads, onStop }: UnfinishedListProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={t('settings.unfinished.title')} hint={t('settings.unfinished.hint')}>
      <AccessList items={uploads}>
        {(upload) => (
          <AccessRow
            key={upload.id}
            name={
              <bdi className="truncate" title={shownPath(upload.path)}>
                {shownPath(upload.path)}
              </bdi>
            }
            facts={
              <>
                <span>
                  {t('settings.trash.facts', {
                    when: formatMoment(new Date(upload.touched)),
                    name: upload.username,
                  })}
                </span>
                <span>
                  {t('sidebar.usedOf', {
                    used: formatSize(upload.received),
                    total: formatSize(upload.size),
                  })}
                </span>
              </>
            }
          >
            <IconButton
              icon="x"
              size="s"
              label={t('uploads.abort', { name: shownPath(upload.path) })}
              onClick={() => onStop(upload)}
            />
          </AccessRow>
        )}
      </AccessList>
    </SettingGroup>
  )
}
