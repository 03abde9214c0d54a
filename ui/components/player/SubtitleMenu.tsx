import { type RefObject, useEffect, useReducer, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { TEXT_ENCODINGS } from '#ui/lib/text/encodings.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Menu } from '../overlays/Menu.tsx'

interface SubtitleMenuProps {
  player: RefObject<HTMLVideoElement | null>
  /** @param language of the track; empty for "off" */
  onChosen?: ((language: string) => void) | undefined
  /** The encoding of the subtitle files, if it can be chosen. */
  encoding?: SubtitleEncoding | undefined
}

/** A label of the Encoding standard; undefined if the server detects it. */
export interface SubtitleEncoding {
  value: string | undefined
  onChange(encoding: string | undefined): void
}

/** A button and a menu that choose the subtitles of a film. There is no button if the film has no subtitles. */
export function SubtitleMenu({ player, onChosen, encoding }: SubtitleMenuProps) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  /** The button, while the encodings are shown. */
  const [encodingAnchor, setEncodingAnchor] = useState<HTMLElement | null>(null)
  const [, rerender] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    const tracks = player.current?.textTracks
    rerender()
    const names = ['addtrack', 'removetrack', 'change']
    for (const name of names) tracks?.addEventListener(name, rerender)
    return () => {
      for (const name of names) tracks?.removeEventListener(name, rerender)
    }
  }, [player])

  const tracks = subtitlesOf(player.current)
  if (tracks.length === 0) return null
  const shown = tracks.find(({ mode }) => mode === 'showing')
  const label = t('player.subtitles')
  const items = [
    { id: 'off', label: t('player.off'), track: undefined },
    ...tracks.map((track, index) => ({ id: `track ${index}`, label: track.label, track })),
  ]
  return (
    <>
      <IconButton
        icon="captions"
        label={label}
        pressed={shown !== undefined}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      {anchor && (
        <Menu
          label={label}
          anchor={anchor}
          items={[
            ...items.map(({ id, label: name, track }) => ({
              id,
              label: name,
              icon: track === shown ? ('check' as const) : undefined,
              checked: track === shown,
              onSelect() {
                show(tracks, track)
                onChosen?.(track?.language ?? '')
              },
            })),
            ...(encoding
              ? [
                  {
                    id: 'encoding',
                    label: t('table.encoding'),
                    startsGroup: true,
                    onSelect: () => setEncodingAnchor(anchor),
                  },
                ]
              : []),
          ]}
          onClose={() => setAnchor(null)}
        />
      )}
      {encodingAnchor && encoding && (
        <Menu
          label={t('table.encoding')}
          anchor={encodingAnchor}
          items={[undefined, ...TEXT_ENCODINGS].map((value) => ({
            id: value ?? 'automatic',
            label: value?.toUpperCase() ?? t('listing.automatic'),
            icon: value === encoding.value ? ('check' as const) : undefined,
            checked: value === encoding.value,
            onSelect: () => encoding.onChange(value),
          }))}
          onClose={() => setEncodingAnchor(null)}
        />
      )}
    </>
  )
}

function subtitlesOf(player: HTMLVideoElement | null): TextTrack[] {
  return [...(player?.textTracks ?? [])].filter(({ kind }) => kind === 'subtitles')
}

function show(tracks: readonly TextTrack[], chosen: TextTrack | undefined): void {
  for (const track of tracks) track.mode = track === chosen ? 'showing' : 'disabled'
}
