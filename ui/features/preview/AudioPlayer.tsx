import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Card } from '#ui/components/Card.tsx'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { rawUrl } from '#ui/lib/content-urls.ts'
import { picturesOf } from '#ui/lib/pictures.ts'
import { shownName } from '#ui/lib/shown-name.ts'
import { settings } from '#ui/state/settings.ts'
import { viewerState } from '#ui/state/viewer.ts'
import type { FileEntry } from '#wire/entry.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'
import { PlayerTools } from './PlayerTools.tsx'
import { Preview } from './Preview.tsx'
import { usePlayer } from './use-player.ts'
import './AudioPlayer.css'

/** Common file names of album covers. */
const COVER = /^(?:cover|folder|front|album|albumart)\.[^.]+$/i

/** Plays a recording in the browser's own player, with the cover from the same folder. */
export function AudioPlayer({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const player = useRef<HTMLAudioElement>(null)
  const path = parsePath(file.path)
  const { broken, rate, changeRate, seek, events } = usePlayer(player, path)
  if (broken) return <FallbackCard file={file} hint={t('viewer.noSound')} />
  return (
    <Preview
      hidesControls={false}
      tools={<PlayerTools rate={rate} onRate={changeRate} onSeek={seek} />}
    >
      <Card className="AudioPlayer">
        <Cover file={file} />
        <h2 className="AudioPlayer__name" dir="auto">
          {shownName(file.name).text}
        </h2>
        <p className="AudioPlayer__facts">
          <bdi>{nameOf(parentPath(path)) || t('places.home')}</bdi> ·{' '}
          <bdi>{formatSize(file.size)}</bdi>
        </p>
        <audio
          ref={player}
          aria-label={file.name}
          src={rawUrl(path, true)}
          controls
          preload="metadata"
          {...events}
        />
      </Card>
    </Preview>
  )
}

function Cover({ file }: { file: FileEntry }) {
  const { siblings } = useSnapshot(viewerState)
  const cover = siblings.find(({ name, type }) => type === 'image' && COVER.test(name))
  if (!cover) return <FileIcon entry={file} />
  const { preview, full } = picturesOf(cover, parsePath(cover.path), settings.ResizePreview)
  return <img className="AudioPlayer__cover" src={preview ?? full} alt="" />
}
