import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { formatDate, formatNumber, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import {
  type ResumableUpload,
  resumableUploads,
  resumeChosenFiles,
  resumeWithPermission,
} from '#ui/uploads/queue/resumable.ts'
import './ResumeUploads.css'

/**
 * Offers to resume uploads that an earlier page left unfinished.
 *
 * @param props.isTitled whether the header of the card shows their number
 */
export function ResumeUploads({ isTitled }: { isTitled: boolean }) {
  useSignals()
  const { t } = useTranslation()
  const [hasWrongFiles, setHasWrongFiles] = useState(false)
  const rows = resumableUploads.value
  const count = rows.length
  const hasHandles = rows.some(({ handle }) => handle)
  return (
    <div className="ResumeUploads">
      {!isTitled && <h3>{t('uploads.offer.title', { count, value: formatNumber(count) })}</h3>}
      <p>{t(hasHandles ? 'uploads.offer.allowHint' : 'uploads.offer.hint', { count })}</p>
      <ul className="ResumeUploads__rows">
        {rows.slice(0, ON_DEMAND_LIMITS.namesListedMax).map((row) => (
          <ResumableRow key={row.path} row={row} />
        ))}
      </ul>
      {count > ON_DEMAND_LIMITS.namesListedMax && (
        <p className="ResumeUploads__more">
          {t('uploads.offer.more', {
            count: count - ON_DEMAND_LIMITS.namesListedMax,
            value: formatNumber(count - ON_DEMAND_LIMITS.namesListedMax),
          })}
        </p>
      )}
      {hasWrongFiles && (
        <p className="ResumeUploads__error" role="alert">
          {t('uploads.offer.others')}
        </p>
      )}
      {hasHandles && (
        <Button tone="accent" onClick={() => void resumeWithPermission()}>
          {t('uploads.offer.allow')}
        </Button>
      )}
      {!rows.every(({ handle }) => handle) && (
        <Button
          {...(!hasHandles && { tone: 'accent' })}
          onClick={async () => setHasWrongFiles(!(await resumeChosenFiles()))}
        >
          {t('uploads.offer.choose')}
        </Button>
      )}
    </div>
  )
}

function ResumableRow({ row: { name, size, receivedBytes, atMs } }: { row: ResumableUpload }) {
  const { t } = useTranslation()
  return (
    <li className="ResumeUploads__row">
      <FileIcon entry={{ name, isDir: false, type: '' }} />
      <Name>{name}</Name>
      <bdi>
        {t('uploads.offer.stopped', {
          percent: formatPercent(Math.floor((100 * receivedBytes) / size) / 100),
          moment: formatDate(new Date(atMs).toISOString()),
        })}
      </bdi>
    </li>
  )
}
