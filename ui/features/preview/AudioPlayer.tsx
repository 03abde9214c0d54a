import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Card } from '#ui/components/feedback/Card.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useObjectUrl } from '#ui/components/hooks/use-object-url.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { PlayerControls } from '#ui/components/player/PlayerControls.tsx'
import { onPlayerKey } from '#ui/components/player/player-commands.ts'
import { usePlayback } from '#ui/components/player/use-playback.ts'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { coverAmong } from '#ui/lib/entries/covers.ts'
import { shownName, withoutDisguise } from '#ui/lib/entries/shown-name.ts'
import { unopenedPictureOf } from '#ui/lib/urls/pictures.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { soundTagsOf } from '#ui/state/media/sound-tags.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import type { SoundTags } from '#wire/api/sound-tag-types.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'
import { BrokenMedia } from './BrokenMedia.tsx'
import { Preview } from './Preview.tsx'
import { usePlayer } from './use-player.ts'
import './AudioPlayer.css'

/** Plays a recording. Shows its title, artist, album and cover, or the cover in its folder. */
export function AudioPlayer({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const player = useRef<HTMLAudioElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const source = useFileSource()
  const path = parsePath(file.path)
  const { failure, retry, events } = usePlayer({ player, frame }, source.keyOf(path))
  const playback = usePlayback(player)
  const tagsState = useAsync(path, (signal) => soundTagsOf(source, path, signal))
  const tags: SoundTags = tagsState.status === 'loaded' ? tagsState.value : {}
  const folder = nameOf(parentPath(path)) || t('places.home')
  const artistAndAlbum = [tags.artist, tags.album].filter((text) => text !== undefined).join(' · ')
  if (failure) {
    const reason = { isCut: failure === 'cut', otherwise: 'viewer.noSound' } as const
    return <BrokenMedia file={file} {...reason} onRetry={retry} />
  }
  return (
    <Preview>
      <Card className="AudioPlayer">
        <Cover file={file} own={tags.cover} />
        <h2 className="AudioPlayer__name" dir="auto">
          {tags.title ? withoutDisguise(tags.title) : shownName(file.name).text}
        </h2>
        <p className="AudioPlayer__facts">
          <bdi>{artistAndAlbum === '' ? folder : withoutDisguise(artistAndAlbum)}</bdi> ·{' '}
          <bdi>{formatSize(file.size)}</bdi>
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <div
          ref={frame}
          className="AudioPlayer__controls"
          role="group"
          aria-label={shownName(file.name).text}
          tabIndex={-1}
          onKeyDown={(event) => onPlayerKey(event, { player: player.current, frame: null })}
        >
          <audio ref={player} src={source.content(path, true)} preload="metadata" {...events} />
          <PlayerControls player={player} playback={playback} />
        </div>
      </Card>
    </Preview>
  )
}

function Cover({ file, own }: { file: FileEntry; own: SoundTags['cover'] }) {
  const { siblings } = useSnapshot(viewerState)
  const source = useFileSource()
  const ownUrl = useObjectUrl(own)
  const cover = coverAmong(siblings)
  if (ownUrl) return <img className="AudioPlayer__cover" src={ownUrl} alt="" />
  if (!cover) return <FileIcon entry={file} />
  const src = unopenedPictureOf(cover, parsePath(cover.path), settings.ResizePreview, source)
  if (!src) return <FileIcon entry={file} />
  return <img className="AudioPlayer__cover" src={src} alt="" />
}
