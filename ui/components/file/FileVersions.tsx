import { useState } from 'react'
import { formatDate, formatFullDate, formatMoment, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { Button } from '../controls/Button.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { useAsync } from '../hooks/use-async.ts'
import { focusAround } from '../overlays/focus-around.ts'
import './FileVersions.css'

export interface FileVersionsProps {
  /** Identifies the current content of the file: a change causes a new request. */
  subject: string
  list(signal: AbortSignal): Promise<readonly TrashItemInfo[]>
  mayCompare(version: TrashItemInfo): boolean
  onCompare(version: TrashItemInfo): void | Promise<void>
  /** Undefined if the user may not download versions. */
  onDownload?: ((version: TrashItemInfo) => void) | undefined
  /** Undefined if the user may not restore versions. */
  onRestore?: ((version: TrashItemInfo) => void | Promise<void>) | undefined
}

/** The earlier versions of a file. It renders nothing if there are none. */
export function FileVersions({ subject, list, ...row }: FileVersionsProps) {
  const { t } = useTranslation()
  const [attempts, setAttempts] = useState(0)
  const result = useAsync(`${attempts} ${subject}`, list)
  if (result.status === 'loading') return null
  if (result.status === 'loaded' && result.value.length === 0) return null
  return (
    <section className="FileVersions" aria-label={t('details.versions.title')}>
      <h3 className="FileVersions__title">{t('details.versions.title')}</h3>
      {result.status === 'failed' ? (
        <div className="FileVersions__failed" role="alert">
          {t('details.versions.unread')}
          <Button
            tone="quiet"
            onClick={(event) => {
              focusAround(event, '.FileInfo')
              setAttempts(attempts + 1)
            }}
          >
            {t('common.tryAgain')}
          </Button>
        </div>
      ) : (
        <ul className="FileVersions__list">
          {result.value.map((version) => (
            <VersionRow
              key={version.id}
              version={version}
              {...row}
              // The replaced content becomes a version, so the list is loaded again.
              onRestore={
                row.onRestore &&
                (async () => {
                  await row.onRestore?.(version)
                  setAttempts((before) => before + 1)
                })
              }
              onCompare={async () => {
                await row.onCompare(version)
                setAttempts((before) => before + 1)
              }}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface VersionRowProps extends Omit<FileVersionsProps, 'subject' | 'list'> {
  version: TrashItemInfo
}

function VersionRow({ version, mayCompare, ...row }: VersionRowProps) {
  const { onCompare, onDownload, onRestore } = row
  const { t } = useTranslation()
  const { modified, time, username, size, snapshot } = version
  const when = formatDate(modified)
  const replaced = { name: username, when: formatMoment(new Date(time)) }
  return (
    <li className="FileVersions__row">
      <div className="FileVersions__text">
        <time dateTime={modified} title={formatFullDate(modified)}>
          {when}
        </time>
        <span className="FileVersions__facts">
          {formatSize(size)} ·{' '}
          {snapshot === undefined
            ? t('details.versions.replaced', replaced)
            : t('details.versions.snapshot', { name: snapshot })}
        </span>
      </div>
      <div className="FileVersions__actions">
        {mayCompare(version) && (
          <IconButton
            icon="file-diff"
            size="s"
            label={t('details.versions.compareOf', { when })}
            onClick={() => void onCompare(version)}
          />
        )}
        {onDownload && (
          <IconButton
            icon="download"
            size="s"
            label={t('details.versions.downloadOf', { when })}
            onClick={() => onDownload(version)}
          />
        )}
        {onRestore && (
          <IconButton
            icon="undo-2"
            mirror
            size="s"
            label={t('details.versions.restoreOf', { when })}
            onClick={() => void onRestore(version)}
          />
        )}
      </div>
    </li>
  )
}
