import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { FilmPlayer } from '#ui/components/player/FilmPlayer.tsx'
import { chosenEncoding, rememberEncoding } from '#ui/state/file/chosen-encodings.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { readerPreferences } from '#ui/state/view/reader-preferences.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { BrokenMedia } from './BrokenMedia.tsx'
import { Preview } from './Preview.tsx'
import { usePlayer } from './use-player.ts'
import { type SubtitleChoice, useSubtitles } from './use-subtitles.ts'
import './VideoPlayer.css'

/** The aspect ratio until the film's metadata is loaded. */
const DEFAULT_ASPECT_RATIO = 16 / 9
/** The tag of an unknown language (BCP 47). With it, the choice of such subtitles stays for the next film as well. */
const UNKNOWN_LANGUAGE = 'und'

/** Plays a film, with the subtitles from the same folder and those inside. */
export function VideoPlayer({ file }: { file: FileEntry }) {
  const player = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const source = useFileSource()
  const path = parsePath(file.path)
  const { isPlaying } = useSnapshot(viewerState)
  // The language that was chosen for another film. The choice for this one is in its tracks.
  const [language] = useState(readerPreferences.subtitles)
  const [encoding, setEncoding] = useState(() => chosenEncoding(source.keyOf(path)))
  const subtitles = useSubtitles(file, source, encoding)
  const [aspectRatio, setAspectRatio] = useState(DEFAULT_ASPECT_RATIO)
  const { failure, retry, events } = usePlayer({ player, frame }, source.keyOf(path))
  // The film may be loaded before the component is mounted: then the event is missed.
  useEffect(readAspectRatio)
  if (failure) {
    const reason = { isCut: failure === 'cut', otherwise: 'viewer.noFilm' } as const
    return <BrokenMedia file={file} {...reason} onRetry={retry} />
  }
  const src = source.content(path, true)
  const shownTrack = subtitles.find((subtitle) => languageOf(subtitle) === language)
  // Browsers play the content of many of these files, but not with their own media type (docs/api.md 10.2).
  const isMatroska = /\.mkv$/i.test(file.name)
  return (
    // While a film is paused the controls stay visible.
    <Preview hidesControls={isPlaying}>
      <FilmPlayer
        name={file.name}
        player={player}
        frame={frame}
        className="VideoPlayer"
        style={{ '--aspect-ratio': aspectRatio } as CSSProperties}
        {...(!isMatroska && { src })}
        {...events}
        onResize={readAspectRatio}
        onSubtitles={(language) => {
          readerPreferences.subtitles = language
        }}
        {...(file.subtitles && {
          subtitleEncoding: {
            value: encoding,
            onChange(chosen: string | undefined) {
              setEncoding(chosen)
              rememberEncoding(source.keyOf(path), chosen)
            },
          },
        })}
      >
        {isMatroska && <source src={src} type="video/mp4" onError={events.onError} />}
        {subtitles.map((subtitle) => (
          <track
            key={subtitle.id}
            kind="subtitles"
            src={subtitle.src}
            label={subtitle.label}
            srcLang={languageOf(subtitle)}
            default={subtitle === shownTrack}
          />
        ))}
      </FilmPlayer>
    </Preview>
  )

  function readAspectRatio(): void {
    const { videoWidth = 0, videoHeight = 0 } = player.current ?? {}
    if (videoWidth > 0 && videoHeight > 0) setAspectRatio(videoWidth / videoHeight)
  }
}

function languageOf({ language }: SubtitleChoice): string {
  return language ?? UNKNOWN_LANGUAGE
}
