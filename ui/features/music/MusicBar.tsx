import { useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { PlayButton, SpeedSelect } from '#ui/components/player/PlayerControls.tsx'
import { onPlayerKey, togglePlay } from '#ui/components/player/player-commands.ts'
import { SeekBar } from '#ui/components/player/SeekBar.tsx'
import { usePlayback } from '#ui/components/player/use-playback.ts'
import { VolumeControl } from '#ui/components/player/VolumeControl.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName, withoutDisguise } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { filesUrl } from '#ui/lib/page/location.ts'
import { rawUrl } from '#ui/lib/urls/content-urls.ts'
import { OWN_FILES } from '#ui/state/file/file-source.ts'
import { preselect } from '#ui/state/folder/listing.ts'
import { closeMusic, music, playTrack } from '#ui/state/media/music.ts'
import { soundTagsOf } from '#ui/state/media/sound-tags.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { SoundTags } from '#wire/api/sound-tag-types.ts'
import { nameOf, parentPath, parsePath, type TreePath } from '#wire/paths.ts'
import { MusicQueue } from './MusicQueue.tsx'
import { useCover } from './use-cover.ts'
import { useMediaSession } from './use-media-session.ts'
import { useOnePlayer } from './use-one-player.ts'
import { useTrackPosition } from './use-track-position.ts'
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
  const { title, artist, album, cover } = useTrackInfo(track)
  const [broken, setBroken] = useState<string>()
  useOnePlayer()

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

  const position = useTrackPosition(player, { path, starts, onBroken: skip })
  useMediaSession({
    player,
    metadata: { title, artist, album, cover },
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
        onLoadedMetadata={position.resume}
        onTimeUpdate={position.saveIfMoved}
        onSeeking={position.save}
        onPause={position.save}
        onEnded={goOn}
        onError={skip}
      />
      <span className="MusicBar__cover">
        <Cover key={cover} src={cover} track={track} />
      </span>
      <TrackName path={path} title={title} artist={artist} isBroken={broken === track.path} />
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
      <QueueButton />
      <IconButton
        icon="x"
        label={t('common.close')}
        onClick={() => {
          position.save()
          closeMusic()
        }}
      />
    </section>
  )
}

/** The title and the artist by the tags of the file, else its name and the name of its folder. */
function useTrackInfo(track: Entry) {
  const { t } = useTranslation()
  const path = parsePath(track.path)
  const loaded = useAsync(path, (signal) => soundTagsOf(OWN_FILES, path, signal))
  const tags: SoundTags = loaded.status === 'loaded' ? loaded.value : {}
  return {
    title: tags.title ? withoutDisguise(tags.title) : shownName(track.name).text,
    artist: tags.artist
      ? withoutDisguise(tags.artist)
      : shownName(nameOf(parentPath(path))).text || t('places.home'),
    album: tags.album ?? '',
    cover: useCover(tags.cover),
  }
}

function QueueButton() {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        icon="list-music"
        label={t('player.queue')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      {anchor && <MusicQueue anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}

interface TrackNameProps {
  path: TreePath
  title: string
  artist: string
  isBroken: boolean
}

/** The title, which leads to the file in its folder, and the artist, or that the file cannot be played. */
function TrackName({ path, title, artist, isBroken }: TrackNameProps) {
  const { t } = useTranslation()
  return (
    <div className="MusicBar__text">
      <Link
        className="MusicBar__title"
        href={filesUrl(parentPath(path), true)}
        title={t('finder.showInFolder')}
        onClick={() => preselect([nameOf(path)])}
      >
        <bdi>{title}</bdi>
      </Link>
      <span className="MusicBar__artist" role={isBroken ? 'alert' : undefined}>
        <bdi>{isBroken ? t('viewer.noSound') : artist}</bdi>
      </span>
    </div>
  )
}

function Cover({ src, track }: { src: string | undefined; track: Entry }) {
  const [hasFailed, setFailed] = useState(false)
  if (!src || hasFailed) return <FileIcon entry={track} />
  return <img src={src} alt="" onError={() => setFailed(true)} />
}
