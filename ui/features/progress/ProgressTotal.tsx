import { useSignals } from '@preact/signals-react/runtime'
import { ProgressBar } from '#ui/components/feedback/ProgressBar.tsx'
import { formatPercent, formatSize, formatTimeLeft } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isActive } from '#ui/state/changes/jobs.ts'
import {
  isDisconnected,
  phase,
  sentFraction,
  speed,
  timeLeft,
  totals,
} from '#ui/uploads/queue/signals.ts'
import type { Job } from '#wire/api/jobs.ts'
import './ProgressTotal.css'

/**
 * The total progress, speed and remaining time of uploads and jobs. A leaf component: only it renders with each
 * update.
 */
export function ProgressTotal({ shown }: { shown: readonly Job[] }) {
  useSignals()
  const { t } = useTranslation()
  const { sent, total, fraction, bytesPerSec, left } = sumOf(shown)
  const isKnown = fraction !== undefined
  return (
    <>
      <ProgressBar
        value={fraction ?? 0}
        max={1}
        label={t('progress.all')}
        indeterminate={!isKnown}
      />
      <p className="ProgressTotal">
        <bdi>
          {isKnown &&
            t('progress.amount', {
              percent: formatPercent(Math.floor(fraction * 100) / 100),
              sent: formatSize(sent),
              total: formatSize(total),
            })}
        </bdi>
        {phase.value === 'active' && isDisconnected.value ? (
          <span className="ProgressTotal__waiting" role="status">
            {t('uploads.waiting')}
          </span>
        ) : (
          <bdi>{speedText()}</bdi>
        )}
      </p>
    </>
  )

  function speedText(): string {
    if (bytesPerSec === undefined) return ''
    const perSecond = t('progress.perSecond', { size: formatSize(bytesPerSec) })
    if (left === undefined) return perSecond
    return t('progress.pace', { speed: perSecond, left: formatTimeLeft(left) })
  }
}

interface Sum {
  /** Bytes. */
  sent: number
  total: number
  /** From 0 to 1; undefined while the total is unknown. */
  fraction: number | undefined
  /** Bytes per second. */
  bytesPerSec: number | undefined
  /** Seconds until all uploads and jobs, except paused ones, have ended; undefined if the time of one is unknown. */
  left: number | undefined
}

function sumOf(shown: readonly Job[]): Sum {
  const sum: Sum = { sent: 0, total: 0, fraction: undefined, bytesPerSec: undefined, left: 0 }
  if (phase.value === 'active') {
    const { sentBytes, totalBytes } = totals.value
    Object.assign(sum, { sent: sentBytes, total: totalBytes })
    Object.assign(sum, {
      fraction: sentFraction.value,
      bytesPerSec: speed.value,
      left: timeLeft.value,
    })
  }
  for (const job of shown) {
    if (!isActive(job) || job.isPartial) continue
    sum.sent += job.bytesDone
    sum.total += job.bytes
  }
  if (sum.total > 0) sum.fraction = Math.min(1, sum.sent / sum.total)
  for (const { state, speed: pace, isPartial, bytes, bytesDone } of shown.filter(isActive)) {
    const seconds = pace > 0 && !isPartial ? (bytes - bytesDone) / pace : undefined
    if (pace > 0) sum.bytesPerSec = (sum.bytesPerSec ?? 0) + pace
    if (state === 'paused') continue
    const isKnown = sum.left !== undefined && seconds !== undefined
    sum.left = isKnown ? Math.max(sum.left ?? 0, seconds) : undefined
  }
  return sum
}
