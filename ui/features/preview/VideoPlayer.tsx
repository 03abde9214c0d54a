import { useRef } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { rawUrl, subtitleUrl } from '#ui/lib/links.ts'
import { subtitleLanguage } from '#ui/lib/subtitles.ts'
import type { FileEntry } from '#wire/entry.ts'
import { nameOf, parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'
import { PlayerTools } from './PlayerTools.tsx'
import { Preview } from './Preview.tsx'
import { usePlayer } from './use-player.ts'
import './VideoPlayer.css'

/** A film in the browser's own player, with the subtitles that lie beside it. */
export function VideoPlayer({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const player = useRef<HTMLVideoElement>(null)
  const path = parsePath(file.path)
  const { broken, rate, changeRate, seek, events } = usePlayer(player, path)
  if (broken) return <FallbackCard file={file} hint={t('viewer.noFilm')} />
  const src = rawUrl(path, true)
  // Browsers play what many of these hold, but not under their own name (contract 10.2).
  const isMatroska = /\.mkv$/i.test(file.name)
  return (
    <Preview tools={<PlayerTools rate={rate} onRate={changeRate} onSeek={seek} />}>
      <video
        ref={player}
        className="VideoPlayer"
        aria-label={file.name}
        controls
        playsInline
        preload="metadata"
        {...(!isMatroska && { src })}
        {...events}
      >
        {isMatroska && <source src={src} type="video/mp4" onError={events.onError} />}
        {(file.subtitles ?? []).map(parsePath).map((subtitle) => (
          <track
            key={subtitle}
            kind="subtitles"
            src={subtitleUrl(subtitle)}
            label={nameOf(subtitle)}
            srcLang={subtitleLanguage(nameOf(subtitle))}
          />
        ))}
      </video>
    </Preview>
  )
}
