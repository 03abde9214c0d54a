import { useSignals } from '@preact/signals-react/runtime'
import { ProgressBar } from '#ui/components/ProgressBar.tsx'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { formatSecondsLeft } from '#ui/uploads/meter.ts'
import { disconnected, speed, tally, timeLeft } from '#ui/uploads/signals.ts'
import './UploadTotal.css'

/** All uploads together: how far, how fast, how long. A leaf: it alone follows the numbers. */
export function UploadTotal() {
  useSignals()
  const { t } = useTranslation()
  const { sentBytes, totalBytes, done, files } = tally.value
  const share = totalBytes > 0 ? sentBytes / totalBytes : done / Math.max(1, files)
  return (
    <>
      <ProgressBar value={share} max={1} label={t('uploads.progress')} />
      <p className="UploadTotal">
        <bdi>
          {t('uploads.amount', {
            percent: formatPercent(Math.floor(share * 100) / 100),
            sent: formatSize(sentBytes),
            total: formatSize(totalBytes),
          })}
        </bdi>
        {disconnected.value ? (
          <span className="UploadTotal__waiting" role="status">
            {t('uploads.waiting')}
          </span>
        ) : (
          <bdi>
            {t('uploads.pace', {
              speed: t('uploads.perSecond', { size: formatSize(speed.value ?? 0) }),
              left: formatSecondsLeft(timeLeft.value),
            })}
          </bdi>
        )}
      </p>
    </>
  )
}
