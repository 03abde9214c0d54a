import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Name } from '#ui/components/Name.tsx'
import { PanelCard } from '#ui/components/PanelCard.tsx'
import { formatDate, formatNumber, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { dismissOffer, loadOffer, type Offered, offer, resumeOffered } from '#ui/uploads/offer.ts'
import './UploadOffer.css'

/** How many files are named. */
const NAMED = 3

/** What an earlier visit left half uploaded, and how to go on with it. */
export function UploadOffer({ userId }: { userId: number }) {
  useSignals()
  const { t } = useTranslation()
  const [isOther, setOther] = useState(false)
  const rows = offer.value
  const count = rows.length

  useEffect(() => {
    void loadOffer(userId)
    return () => {
      offer.value = []
    }
  }, [userId])

  if (count === 0) return null
  return (
    <PanelCard
      label={t('uploads.label')}
      phase="stopped"
      title={t('uploads.offer.title', { count, value: formatNumber(count) })}
      buttons={<IconButton icon="x" size="s" label={t('common.dismiss')} onClick={dismissOffer} />}
    >
      <div className="UploadOffer">
        <p>{t('uploads.offer.hint', { count })}</p>
        <ul className="UploadOffer__rows">
          {rows.slice(0, NAMED).map((row) => (
            <OfferRow key={row.path} row={row} />
          ))}
        </ul>
        {count > NAMED && (
          <p className="UploadOffer__more">
            {t('uploads.offer.more', { count: count - NAMED, value: formatNumber(count - NAMED) })}
          </p>
        )}
        {isOther && (
          <p className="UploadOffer__trouble" role="alert">
            {t('uploads.offer.others')}
          </p>
        )}
        <Button tone="accent" onClick={async () => setOther(!(await resumeOffered()))}>
          {t('uploads.offer.choose')}
        </Button>
      </div>
    </PanelCard>
  )
}

function OfferRow({ row: { name, size, begun, atMs } }: { row: Offered }) {
  const { t } = useTranslation()
  return (
    <li className="UploadOffer__row">
      <FileIcon entry={{ name, isDir: false, type: '' }} />
      <Name>{name}</Name>
      <bdi>
        {t('uploads.offer.stopped', {
          percent: formatPercent(Math.floor((100 * begun) / size) / 100),
          moment: formatDate(new Date(atMs).toISOString()),
        })}
      </bdi>
    </li>
  )
}
