import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { usePopover } from '#ui/components/overlays/use-popover.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { music, playTrack } from '#ui/state/media/music.ts'
import './MusicQueue.css'

interface MusicQueueProps {
  anchor: HTMLElement
  onClose(): void
}

/** The tracks of the queue, in their order. A click plays one. */
export function MusicQueue({ anchor, onClose }: MusicQueueProps) {
  const { t } = useTranslation()
  const { tracks, index: current } = useSnapshot(music)
  const panel = useRef<HTMLDivElement>(null)
  usePopover(panel, {
    anchor,
    onClose,
    firstFocus: (element) => element.querySelector<HTMLElement>('[aria-current]'),
  })
  return (
    <div
      ref={panel}
      className="MusicQueue"
      role="dialog"
      aria-label={t('player.queue')}
      popover="auto"
    >
      <h2 className="MusicQueue__title">{t('player.queue')}</h2>
      <ol className="MusicQueue__list">
        {tracks.map(({ path, name }, index) => (
          <li key={path}>
            <button
              type="button"
              className="MusicQueue__track"
              aria-current={index === current || undefined}
              onClick={() => playTrack(index)}
            >
              <span className="MusicQueue__number">
                {index === current ? <Icon name="play" /> : formatNumber(index + 1)}
              </span>
              <bdi className="MusicQueue__name">{shownName(name).text}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}
