import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { PlayButton, SpeedSelect } from '#ui/components/PlayerControls.tsx'
import { onPlayerKey, togglePlay } from '#ui/components/player-commands.ts'
import { SeekBar } from '#ui/components/SeekBar.tsx'
import { useAsync } from '#ui/components/use-async.ts'
import { usePlayback } from '#ui/components/use-playback.ts'
import { VolumeControl } from '#ui/components/VolumeControl.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { rawUrl } from '#ui/lib/content-urls.ts'
import { filesUrl } from '#ui/lib/location.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { shownName, withoutDisguise } from '#ui/lib/shown-name.ts'
import { preselect } from '#ui/state/listing.ts'
import { closeMusic, music, playTrack } from '#ui/state/music.ts'
import { resumePosition, saveIfMoved, savePositionOf } from '#ui/state/playback-position.ts'
import { soundTagsOf } from '#ui/state/sound-tags.ts'
import type { Entry } from '#wire/entry.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'
import type { SoundTags } from '#wire/sound-tag-types.ts'
import { MusicQueue } from './MusicQueue.tsx'
import { useCover } from './use-cover.ts'
import { useMediaSession } from './use-media-session.ts'
import { useOnePlayer } from './use-one-player.ts'
import './MusicBar.css'

/** The bar at the bottom of the window that plays the music queue. It stays on every page until it is closed. */
export function MusicBar() {
  const { tracks, index, starts } = useSnapshot(music)
  const track = tracks[index]
  // The snapshot of a `ref` is the entry itself.
  return track ? <Bar track={track as Entry} starts={starts} /> : null
}

function Bar({ track, starts }: { track: Entry; starts: number }) {
  const { t } = useTranslation()
  const { tracks, index } = useSnapshot(music)
  const player = useRef<HTMLAudioElement>(null)
  const playback = usePlayback(player)
  const path = parsePath(track.path)
  const tagsState = useAsync(path, (signal) => soundTagsOf(path, signal))
  const tags: SoundTags = tagsState.status === 'loaded' ? tagsState.value : {}
  const cover = useCover(tags.cover)
  const [broken, setBroken] = useState<string>()
  const [queueAt, setQueueAt] = useState<HTMLElement | null>(null)
  useOnePlayer()

  const title = tags.title ? withoutDisguise(tags.title) : shownName(track.name).text
  const folder = parentPath(path)
  const artist = tags.artist
    ? withoutDisguise(tags.artist)
    : shownName(nameOf(folder)).text || t('places.home')
  const isBroken = broken === track.path

  function goBack() {
    const element = player.current
    if (element && (element.currentTime > ON_DEMAND_LIMITS.trackRestartSeconds || index === 0))
      element.currentTime = 0
    else playTrack(index - 1)
  }

  function goOn() {
    if (index + 1 < tracks.length) playTrack(index + 1)
  }

  function skip() {
    setBroken(track.path)
    goOn()
  }

  function close() {
    save()
    closeMusic()
  }

  /** Stores the position; but not while a new file has no metadata, because the position stored earlier must stay. */
  function save() {
    const element = player.current
    if (element && hasMetadata(element)) savePositionOf(element, path)
  }

  const applyPlayerState = useEffectEvent(() => {
    const element = player.current
    if (element?.error) skip()
    else if (element && hasMetadata(element)) resumePosition(element, path)
  })
  // Events of the player before the component is mounted are missed, so its state is read.
  useEffect(() => applyPlayerState(), [])

  const start = useEffectEvent(() => {
    const element = player.current
    if (!element) return
    if (element.ended) element.currentTime = 0
    void element.play().catch(() => undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each start plays
  useEffect(() => start(), [starts])

  useMediaSession({
    player,
    metadata: { title, artist, album: tags.album ?? '', cover },
    toggle: () => togglePlay(player.current),
    previous: goBack,
    next: index + 1 < tracks.length ? goOn : undefined,
    playback,
  })

  return (
    <section
      className="MusicBar"
      aria-label={t('player.music')}
      onKeyDown={(event) => onPlayerKey(event, { player: player.current, frame: null })}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: the server knows no captions of the file */}
      <audio
        ref={player}
        src={rawUrl(path, true)}
        onLoadedMetadata={({ currentTarget }) => resumePosition(currentTarget, path)}
        onTimeUpdate={({ currentTarget }) => {
          if (hasMetadata(currentTarget)) saveIfMoved(currentTarget, path)
        }}
        onSeeking={save}
        onPause={save}
        onEnded={goOn}
        onError={skip}
      />
      <span className="MusicBar__cover">
        <Cover key={cover} src={cover} track={track} />
      </span>
      <div className="MusicBar__text">
        <Link
          className="MusicBar__title"
          href={filesUrl(folder, true)}
          title={t('finder.showInFolder')}
          onClick={() => preselect([nameOf(path)])}
        >
          <bdi>{title}</bdi>
        </Link>
        <span className="MusicBar__artist" role={isBroken ? 'alert' : undefined}>
          <bdi>{isBroken ? t('viewer.noSound') : artist}</bdi>
        </span>
      </div>
      <div className="MusicBar__buttons" role="toolbar" aria-label={t('viewer.player')}>
        <IconButton icon="skip-back" mirror label={t('viewer.previous')} onClick={goBack} />
        <PlayButton player={player} playback={playback} />
        <IconButton
          icon="skip-forward"
          mirror
          label={t('viewer.next')}
          disabled={index + 1 >= tracks.length}
          onClick={goOn}
        />
      </div>
      <SeekBar player={player} playback={playback} />
      <SpeedSelect player={player} playback={playback} />
      <VolumeControl player={player} playback={playback} />
      <IconButton
        icon="list-music"
        label={t('player.queue')}
        aria-haspopup="dialog"
        aria-expanded={queueAt !== null}
        onClick={(event) => setQueueAt(event.currentTarget)}
      />
      <IconButton icon="x" label={t('common.close')} onClick={close} />
      {queueAt && <MusicQueue anchor={queueAt} onClose={() => setQueueAt(null)} />}
    </section>
  )
}

function Cover({ src, track }: { src: string | undefined; track: Entry }) {
  const [hasFailed, setFailed] = useState(false)
  if (!src || hasFailed) return <FileIcon entry={track} />
  return <img src={src} alt="" onError={() => setFailed(true)} />
}

function hasMetadata({ readyState }: HTMLMediaElement): boolean {
  return readyState >= HTMLMediaElement.HAVE_METADATA
}
