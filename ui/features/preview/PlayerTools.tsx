import { IconButton } from '#ui/components/IconButton.tsx'
import { Select } from '#ui/components/Select.tsx'
import { formatFactor } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import './PlayerTools.css'

interface PlayerToolsProps {
  rate: number
  onRate(rate: number): void
  onSeek(seconds: number): void
}

/** Playback rates (docs/api.md 10.2). */
const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3]

/** Controls that a browser's own player does not have: steps of ten seconds, and the playback rate. */
export function PlayerTools({ rate, onRate, onSeek }: PlayerToolsProps) {
  const { t } = useTranslation()
  const count = UI_LIMITS.seekSeconds
  return (
    <div className="PlayerTools" role="toolbar" aria-label={t('viewer.player')}>
      <IconButton
        icon="rotate-ccw"
        size="s"
        label={t('viewer.back', { count })}
        onClick={() => onSeek(-count)}
      />
      <IconButton
        icon="rotate-cw"
        size="s"
        label={t('viewer.forward', { count })}
        onClick={() => onSeek(count)}
      />
      <Select
        aria-label={t('viewer.speed')}
        value={rate}
        options={RATES.map((one) => ({ value: String(one), label: formatFactor(one) }))}
        onChange={(event) => onRate(Number(event.target.value))}
      />
    </div>
  )
}
