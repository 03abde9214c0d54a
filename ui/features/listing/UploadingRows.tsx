// biome-ignore-all lint/a11y/useSemanticElements: rows of a grid that is no table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and these rows are never active
import { useSignals } from '@preact/signals-react/runtime'
import { memo } from 'react'
import { ProgressBar } from '#ui/components/feedback/ProgressBar.tsx'
import { EntryIcon } from '#ui/components/file/EntryIcon.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { LocalPicture } from '#ui/components/pictures/LocalPicture.tsx'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { UploadingRow } from '#ui/uploads/queue/uploading-rows.ts'
import './UploadingRows.css'

/** Placeholders of uploads into the folder, below the entries. The upload panel has the buttons. */
export function UploadingRows({ rows }: { rows: readonly UploadingRow[] }) {
  const { t } = useTranslation()
  return (
    <div className="UploadingRows" role="rowgroup" aria-label={t('listing.arriving')}>
      {rows.map((row) => (
        <Row key={row.name} row={row} />
      ))}
    </div>
  )
}

/** Only this component renders with each progress update, not the whole listing. */
const Row = memo(function Row({ row: { name, item } }: { row: UploadingRow }) {
  useSignals()
  const { t } = useTranslation()
  const file = 'id' in item ? item.upload?.file : undefined
  const { state, sentBytes } = item.shown.value
  const total = 'id' in item ? item.sizeBytes : item.shown.value.totalBytes
  const fraction = state === 'done' ? 1 : total > 0 ? Math.min(1, sentBytes / total) : 0
  return (
    <div className="UploadingRows__row" role="row" aria-disabled="true">
      <div className="UploadingRows__name" role="gridcell">
        <EntryIcon>
          {file ? (
            <LocalPicture name={name} file={file} />
          ) : (
            <FileIcon entry={{ name, isDir: true, type: '' }} />
          )}
        </EntryIcon>
        <Name>{name}</Name>
      </div>
      <div className="UploadingRows__size" role="gridcell">
        <bdi>{formatSize(total)}</bdi>
      </div>
      <div className="UploadingRows__progress" role="gridcell">
        <ProgressBar value={fraction} max={1} label={t('uploads.progressOf', { name })} />
        <bdi>{formatPercent(Math.floor(fraction * 100) / 100)}</bdi>
      </div>
    </div>
  )
})
