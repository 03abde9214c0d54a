import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Spinner } from '../feedback/Spinner.tsx'
import { useSwipe } from '../hooks/use-swipe.ts'
import { useLayer } from '../overlays/use-layer.ts'
import { useModal } from '../overlays/use-modal.ts'
import { FilmPlayer } from './FilmPlayer.tsx'
import './Slideshow.css'

export interface Slide {
  key: string
  name: string
  /** The URL of the picture. */
  picture: string
  /** The URL of a film. */
  film?: string | undefined
}

interface SlideshowProps {
  slides: readonly Slide[]
  /** The index of the first slide to show. */
  start: number
  /** @param index the index of the slide that was shown last */
  onClose(index: number): void
}

/**
 * Pictures and films one after the other, in the whole window. The arrow keys and swiping change the slide, Space
 * pauses and resumes, F toggles full screen, Escape closes.
 */
export function Slideshow({ slides, start, onClose }: SlideshowProps) {
  const { t } = useTranslation()
  const [index, setIndex] = useState(Math.min(start, slides.length - 1))
  const [isPlaying, setPlaying] = useState(true)
  const dialog = useModal()
  // A dialog element cannot be made full screen.
  const frame = useRef<HTMLDivElement>(null)
  const { isFull, toggleFull } = useFullScreen(frame)
  const close = () => onClose(index)
  useLayer(close)
  const step = (by: number) => setIndex(Math.max(0, Math.min(slides.length - 1, index + by)))
  const swipe = useSwipe((direction) => step(direction === 'next' ? 1 : -1))
  const slide = slides[index]
  const isLast = index === slides.length - 1

  useEffect(() => dialog.current?.focus(), [dialog])
  if (!slide) return null

  function advance() {
    if (isLast) setPlaying(false)
    else step(1)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    event.stopPropagation()
    if (event.altKey || event.ctrlKey || event.metaKey) return
    // A slider or a select of the film uses the same keys.
    if (event.target instanceof Element && event.target.matches('input, select')) return
    const isButton = event.target instanceof Element && event.target.closest('button') !== null
    const [before, after] = isRightToLeft()
      ? ['ArrowRight', 'ArrowLeft']
      : ['ArrowLeft', 'ArrowRight']
    if (event.key === before) step(-1)
    else if (event.key === after) step(1)
    else if (event.key === 'Home') setIndex(0)
    else if (event.key === 'End') setIndex(slides.length - 1)
    else if (event.key === ' ' && !isButton) setPlaying(!isPlaying)
    else if (event.key.toLowerCase() === 'f') toggleFull()
    else return
    event.preventDefault()
  }

  const count = { at: formatNumber(index + 1), of: formatNumber(slides.length) }
  return (
    <dialog
      ref={dialog}
      className="Slideshow"
      aria-label={t('gallery.slideshow')}
      tabIndex={-1}
      onCancel={(event: SyntheticEvent) => {
        event.preventDefault()
        close()
      }}
      onKeyDown={onKeyDown}
      {...swipe}
    >
      <div ref={frame} className="Slideshow__frame">
        <SlideView key={slide.key} slide={slide} isPlaying={isPlaying} onDone={advance} />
        <Prefetch src={slides[index + 1]?.picture} />
        <div className="Slideshow__bar">
          <p className="Slideshow__text" aria-live={isPlaying ? 'off' : 'polite'}>
            <bdi className="Slideshow__name">{shownName(slide.name).text}</bdi>
            <span>{t('gallery.count', count)}</span>
          </p>
          <IconButton
            icon="chevron-left"
            mirror
            label={t('viewer.previous')}
            disabled={index === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={isPlaying ? 'pause' : 'play'}
            label={t(isPlaying ? 'gallery.pause' : 'gallery.goOn')}
            onClick={() => setPlaying(!isPlaying)}
          />
          <IconButton
            icon="chevron-right"
            mirror
            label={t('viewer.next')}
            disabled={isLast}
            onClick={() => step(1)}
          />
          <IconButton
            icon="maximize"
            label={t('gallery.full')}
            pressed={isFull}
            onClick={toggleFull}
          />
          <IconButton icon="x" label={t('common.close')} onClick={close} />
        </div>
      </div>
    </dialog>
  )
}

/** The full screen of an element. It ends with the component. */
function useFullScreen(frame: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false)

  useEffect(() => {
    const onFullscreenChange = () => setFull(document.fullscreenElement === frame.current)
    document.addEventListener('fullscreenchange', onFullscreenChange)
    return () => {
      document.removeEventListener('fullscreenchange', onFullscreenChange)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [frame])

  function toggleFull() {
    // iPhones support full screen only for videos, but the slideshow already fills the window.
    if (isFull) void document.exitFullscreen()
    else frame.current?.requestFullscreen?.().catch(() => undefined)
  }

  return { isFull, toggleFull }
}

interface SlideViewProps {
  slide: Slide
  isPlaying: boolean
  /** Called when the slide was shown long enough: after a fixed time, or at the end of a film. */
  onDone(): void
}

/** One slide: a picture or a film. */
function SlideView({ slide, isPlaying, onDone }: SlideViewProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<'loading' | 'loaded' | 'broken'>('loading')
  const player = useRef<HTMLVideoElement>(null)
  const film = useRef<HTMLDivElement>(null)
  const isFilm = slide.film !== undefined && state !== 'broken'
  const advance = useEffectEvent(onDone)

  useEffect(() => {
    // A film is shown until its own end.
    if (!isPlaying || state === 'loading' || isFilm) return
    const timer = setTimeout(() => advance(), ON_DEMAND_LIMITS.slideMs)
    return () => clearTimeout(timer)
  }, [isPlaying, state, isFilm])

  useEffect(() => {
    if (isPlaying) void player.current?.play().catch(() => undefined)
    else player.current?.pause()
  }, [isPlaying])

  if (isFilm) {
    return (
      <FilmPlayer
        name={slide.name}
        player={player}
        frame={film}
        ignoresKeys
        className="Slideshow__picture"
        src={slide.film}
        poster={slide.picture}
        onEnded={() => isPlaying && onDone()}
        onError={() => setState('broken')}
      />
    )
  }
  return (
    <>
      {state === 'broken' && <p className="Slideshow__note">{t('gallery.broken')}</p>}
      {state === 'loading' && <Spinner label={t('common.loading')} />}
      {state !== 'broken' && (
        <img
          className="Slideshow__picture"
          src={slide.picture}
          alt={slide.name}
          draggable={false}
          data-loading={state === 'loading' || undefined}
          onLoad={() => setState('loaded')}
          onError={() => setState('broken')}
        />
      )}
    </>
  )
}

/** Preloads the picture of the next slide. */
function Prefetch({ src }: { src: string | undefined }) {
  useEffect(() => {
    if (src) new Image().src = src
  }, [src])
  return null
}
