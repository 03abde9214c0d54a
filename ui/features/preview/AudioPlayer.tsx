import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Card } from '#ui/components/Card.tsx'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { PlayerControls } from '#ui/components/PlayerControls.tsx'
import { onPlayerKey } from '#ui/components/player-commands.ts'
import { usePlayback } from '#ui/components/use-playback.ts'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { rawUrl } from '#ui/lib/content-urls.ts'
import { coverAmong } from '#ui/lib/covers.ts'
import { picturesOf } from '#ui/lib/pictures.ts'
import { shownName } from '#ui/lib/shown-name.ts'
import { settings } from '#ui/state/settings.ts'
import { viewerState } from '#ui/state/viewer.ts'
import type { FileEntry } from '#wire/entry.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'
import { Preview } from './Preview.tsx'
import { usePlayer } from './use-player.ts'
import './AudioPlayer.css'

/** Plays a recording, with the cover from the same folder. */
export function AudioPlayer({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const player = useRef<HTMLAudioElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const path = parsePath(file.path)
  const { broken, events } = usePlayer({ player, frame }, path)
  const playback = usePlayback(player)
  if (broken) return <FallbackCard file={file} hint={t('viewer.noSound')} />
  return (
    <Preview hidesControls={false}>
      <Card className="AudioPlayer">
        <Cover file={file} />
        <h2 className="AudioPlayer__name" dir="auto">
          {shownName(file.name).text}
        </h2>
        <p className="AudioPlayer__facts">
          <bdi>{nameOf(parentPath(path)) || t('places.home')}</bdi> ·{' '}
          <bdi>{formatSize(file.size)}</bdi>
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <div
          ref={frame}
          className="AudioPlayer__controls"
          role="group"
          aria-label={file.name}
          tabIndex={-1}
          onKeyDown={(event) => onPlayerKey(event, { player: player.current, frame: null })}
        >
          <audio ref={player} src={rawUrl(path, true)} preload="metadata" {...events} />
          <PlayerControls player={player} playback={playback} />
        </div>
      </Card>
    </Preview>
  )
}

function Cover({ file }: { file: FileEntry }) {
  const { siblings } = useSnapshot(viewerState)
  const cover = coverAmong(siblings)
  if (!cover) return <FileIcon entry={file} />
  const { preview, full } = picturesOf(cover, parsePath(cover.path), settings.ResizePreview)
  return <img className="AudioPlayer__cover" src={preview ?? full} alt="" />
}
