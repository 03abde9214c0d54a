import {
  type ComponentProps,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { PlayerControls } from './PlayerControls.tsx'
import { onPlayerKey, toggleFullScreen, togglePlay } from './player-commands.ts'
import { type SubtitleEncoding, SubtitleMenu } from './SubtitleMenu.tsx'
import { useIdleControls } from './use-idle-controls.ts'
import { usePlayback } from './use-playback.ts'
import './FilmPlayer.css'

interface FilmPlayerProps extends Omit<ComponentProps<'video'>, 'ref' | 'controls'> {
  name: string
  player: RefObject<HTMLVideoElement | null>
  /** The element with the film and its controls, which gets the keys. */
  frame: RefObject<HTMLDivElement | null>
  /** Whether the component around the player handles the keys instead. */
  ignoresKeys?: boolean
  /** The viewer has chosen subtitles; the empty language is "off". */
  onSubtitles?: ((language: string) => void) | undefined
  subtitleEncoding?: SubtitleEncoding | undefined
}

/** A film with its controls over it. The controls are hidden while the film plays and the pointer does not move. */
export function FilmPlayer({
  name,
  player,
  frame,
  ignoresKeys = false,
  onSubtitles,
  subtitleEncoding,
  children,
  ...video
}: FilmPlayerProps) {
  const { t } = useTranslation()
  const playback = usePlayback(player)
  const isIdle = useIdleControls(frame, playback.isPlaying)
  const isFull = useFullScreen(frame)
  /** Whether the press is a tap that only shows the hidden controls. */
  const isRevealTap = useRef(false)

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={frame}
      className="FilmPlayer"
      role="group"
      aria-label={name}
      tabIndex={-1}
      data-idle={isIdle || undefined}
      onKeyDown={(event) => {
        if (!ignoresKeys) onPlayerKey(event, { player: player.current, frame: frame.current })
      }}
      onPointerDownCapture={(event: PointerEvent) => {
        isRevealTap.current = isIdle && event.pointerType === 'touch'
      }}
      onClickCapture={(event: MouseEvent) => {
        if (isRevealTap.current) event.stopPropagation()
        isRevealTap.current = false
      }}
    >
      <video
        playsInline
        preload="metadata"
        {...video}
        ref={player}
        onClick={() => togglePlay(player.current)}
        onDoubleClick={() => toggleFull()}
      >
        {children}
      </video>
      <div className="FilmPlayer__controls">
        <PlayerControls player={player} playback={playback}>
          <SubtitleMenu player={player} onChosen={onSubtitles} encoding={subtitleEncoding} />
          {document.pictureInPictureEnabled && (
            <IconButton
              icon="picture-in-picture"
              label={t('player.pictureInPicture')}
              onClick={() => togglePictureInPicture(player.current)}
            />
          )}
          <IconButton
            icon="maximize"
            label={t('gallery.full')}
            pressed={isFull}
            onClick={toggleFull}
          />
        </PlayerControls>
      </div>
    </div>
  )

  function toggleFull(): void {
    toggleFullScreen({ player: player.current, frame: frame.current })
  }
}

function useFullScreen(frame: RefObject<HTMLElement | null>): boolean {
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    // The full-screen element can also be a slideshow around the player.
    const update = () => setIsFull(document.fullscreenElement?.contains(frame.current) ?? false)
    document.addEventListener('fullscreenchange', update)
    return () => document.removeEventListener('fullscreenchange', update)
  }, [frame])
  return isFull
}

function togglePictureInPicture(player: HTMLVideoElement | null): void {
  const changed =
    document.pictureInPictureElement === player
      ? document.exitPictureInPicture()
      : player?.requestPictureInPicture()
  // Browsers refuse a film whose size they do not know yet.
  void changed?.catch(() => undefined)
}
