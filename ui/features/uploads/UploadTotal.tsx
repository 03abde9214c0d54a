import { useSignals } from '@preact/signals-react/runtime'
import { ProgressBar } from '#ui/components/ProgressBar.tsx'
import { formatPercent, formatSize, formatTimeLeft } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { disconnected, sentShare, speed, tally, timeLeft } from '#ui/uploads/signals.ts'
import './UploadTotal.css'

/** All uploads together: how far, how fast, how long. A leaf: it alone follows the numbers. */
export function UploadTotal() {
  useSignals()
  const { t } = useTranslation()
  const { sentBytes, totalBytes } = tally.value
  const share = sentShare.value ?? 0
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
          <bdi>{pace()}</bdi>
        )}
      </p>
    </>
  )

  function pace(): string {
    if (speed.value === undefined) return ''
    const perSecond = t('uploads.perSecond', { size: formatSize(speed.value) })
    const seconds = timeLeft.value
    if (seconds === undefined) return perSecond
    return t('uploads.pace', { speed: perSecond, left: formatTimeLeft(seconds) })
  }
}
