import type { ReactNode, RefObject } from 'react'
import { formatFactor, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { formatLength } from '#ui/i18n/length.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { IconButton } from './IconButton.tsx'
import { seekBy, seekTo, setRate, setVolume, toggleMute, togglePlay } from './player-commands.ts'
import { Select } from './Select.tsx'
import { Slider } from './Slider.tsx'
import type { Playback } from './use-playback.ts'
import './PlayerControls.css'

interface ControlProps {
  player: RefObject<HTMLMediaElement | null>
  playback: Playback
}

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
  const count = UI_LIMITS.seekSeconds
  return (
    <div className="PlayerControls" role="toolbar" aria-label={t('viewer.player')}>
      <SeekBar player={player} playback={playback} />
      <div className="PlayerControls__row">
        <PlayButton player={player} playback={playback} />
        <IconButton
          icon="rotate-ccw"
          label={t('viewer.back', { count })}
          onClick={() => seekBy(player.current, -count)}
        />
        <IconButton
          icon="rotate-cw"
          label={t('viewer.forward', { count })}
          onClick={() => seekBy(player.current, count)}
        />
        <VolumeControl player={player} playback={playback} />
        <span className="PlayerControls__gap" />
        <SpeedSelect player={player} playback={playback} />
        {children}
      </div>
    </div>
  )
}

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

/** The position, with the time before and after it. */
export function SeekBar({ player, playback: { position, duration, loaded } }: ControlProps) {
  const { t } = useTranslation()
  const [at, end] = [formatLength(Math.min(position, duration || position)), formatLength(duration)]
  return (
    <div className="SeekBar" dir="ltr">
      <span className="SeekBar__time" aria-hidden="true">
        {at}
      </span>
      <Slider
        label={t('player.position')}
        value={position}
        max={duration}
        step={1}
        text={t('gallery.count', { at, of: end })}
        loaded={loaded}
        disabled={duration === 0}
        onChange={(seconds) => seekTo(player.current, seconds)}
      />
      <span className="SeekBar__time" aria-hidden="true">
        {end}
      </span>
    </div>
  )
}

export function VolumeControl({ player, playback: { volume, isMuted } }: ControlProps) {
  const { t } = useTranslation()
  const shown = isMuted ? 0 : volume
  return (
    <div className="VolumeControl">
      <IconButton
        icon={isMuted ? 'volume-x' : 'volume-2'}
        label={t('player.mute')}
        pressed={isMuted}
        onClick={() => toggleMute(player.current)}
      />
      <Slider
        label={t('player.volume')}
        value={shown}
        max={1}
        step={0.05}
        text={formatPercent(shown)}
        onChange={(value) => setVolume(player.current, value)}
      />
    </div>
  )
}

/** Playback rates (docs/api.md 10.2). */
const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3]

export function SpeedSelect({ player, playback: { rate } }: ControlProps) {
  const { t } = useTranslation()
  return (
    <Select
      aria-label={t('viewer.speed')}
      value={rate}
      options={RATES.map((one) => ({ value: String(one), label: formatFactor(one) }))}
      onChange={(event) => setRate(player.current, Number(event.target.value))}
    />
  )
}
