import { type ReactNode, useEffect, useState } from 'react'
import { queueThumbnail } from '#ui/lib/urls/thumbnail-queue.ts'
import './Thumb.css'

interface ThumbProps {
  /** Whether the picture has its own aspect ratio, such as a page, and is shown whole. */
  isWhole?: boolean | undefined
  /** Undefined if there is no picture to request. */
  src: string | undefined
  /** Shown in the same box until the picture is loaded, and if there is none. */
  fallback: ReactNode
  /** Called if `src` cannot be shown as a picture. */
  onBroken?: (() => void) | undefined
}

/** A thumbnail that waits in a queue, so that a folder of images does not overload the server. */
export function Thumb({ src, isWhole, fallback, onBroken }: ThumbProps) {
  // A reference to the loaded element keeps the picture in the browser's memory, so that the element below causes no
  // second request.
  const [loaded, setLoaded] = useState<{ src: string; picture: HTMLImageElement }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback needs no new load
  useEffect(() => {
    const onLoaded = (picture: HTMLImageElement) => src && setLoaded({ src, picture })
    return src === undefined ? undefined : queueThumbnail(src, onLoaded, onBroken)
  }, [src])
  if (src === undefined || loaded?.src !== src) return fallback
  return (
    <img className="Thumb" data-whole={isWhole || undefined} src={src} alt="" draggable={false} />
  )
}
