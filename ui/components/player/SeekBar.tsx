import { useTranslation } from '#ui/i18n/i18n.ts'
import { formatLength } from '#ui/i18n/length.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { Slider } from '../fields/Slider.tsx'
import { seekTo } from './player-commands.ts'
import type { ControlProps } from './use-playback.ts'
import './SeekBar.css'

/** The slider of the position, between the elapsed time and the duration. */
export function SeekBar({ player, playback: { position, duration, loaded } }: ControlProps) {
  const { t } = useTranslation()
  const [elapsed, total] = [
    formatLength(Math.floor(Math.min(position, duration || position))),
    formatLength(duration),
  ]
  return (
    <div className="SeekBar" dir="ltr">
      <span className="SeekBar__time" aria-hidden="true">
        {elapsed}
      </span>
      <Slider
        label={t('player.position')}
        value={position}
        max={duration}
        step={0.1}
        keyStep={ON_DEMAND_LIMITS.seekSeconds}
        text={t('gallery.count', { at: elapsed, of: total })}
        loaded={loaded}
        disabled={duration === 0}
        onChange={(seconds) => seekTo(player.current, seconds)}
      />
      <span className="SeekBar__time" aria-hidden="true">
        {total}
      </span>
    </div>
  )
}
