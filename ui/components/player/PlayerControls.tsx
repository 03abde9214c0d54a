import type { ReactNode } from 'react'
import { formatFactor } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Select } from '../fields/Select.tsx'
import { seekBy, setRate, togglePlay } from './player-commands.ts'
import { SeekBar } from './SeekBar.tsx'
import type { ControlProps } from './use-playback.ts'
import { VolumeControl } from './VolumeControl.tsx'
import './PlayerControls.css'

/** The controls of a film or a recording: position, play, steps, volume and speed. */
export function PlayerControls({
  player,
  playback,
  children,
}: ControlProps & {
  /** More controls, at the end. */
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const seconds = ON_DEMAND_LIMITS.seekSeconds
  return (
    <div className="PlayerControls" role="toolbar" aria-label={t('viewer.player')}>
      <SeekBar player={player} playback={playback} />
      <div className="PlayerControls__row">
        <PlayButton player={player} playback={playback} />
        <IconButton
          icon="rotate-ccw"
          label={t('viewer.back', { count: seconds })}
          onClick={() => seekBy(player.current, -seconds)}
        />
        <IconButton
          icon="rotate-cw"
          label={t('viewer.forward', { count: seconds })}
          onClick={() => seekBy(player.current, seconds)}
        />
        <VolumeControl player={player} playback={playback} />
        <div className="PlayerControls__end">
          <SpeedSelect player={player} playback={playback} />
          {children}
        </div>
      </div>
    </div>
  )
}

/** Starts or pauses the player. */
export function PlayButton({ player, playback: { isPlaying } }: ControlProps) {
  const { t } = useTranslation()
  return (
    <IconButton
      icon={isPlaying ? 'pause' : 'play'}
      label={t(isPlaying ? 'gallery.pause' : 'gallery.goOn')}
      onClick={() => togglePlay(player.current)}
    />
  )
}

/** Playback rates (docs/api.md 10.2). */
const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3]

/** Chooses the playback rate. */
export function SpeedSelect({ player, playback: { rate } }: ControlProps) {
  const { t } = useTranslation()
  return (
    <Select
      aria-label={t('viewer.speed')}
      value={rate}
      options={RATES.map((rate) => ({ value: String(rate), label: formatFactor(rate) }))}
      onChange={(event) => setRate(player.current, Number(event.target.value))}
    />
  )
}
