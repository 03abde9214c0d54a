import { formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Slider } from '../fields/Slider.tsx'
import { setVolume, toggleMute } from './player-commands.ts'
import type { ControlProps } from './use-playback.ts'
import './VolumeControl.css'

/** The mute button and the volume slider of a player. While the sound is muted, the slider shows 0. */
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
