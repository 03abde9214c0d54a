import { type ReactNode, useEffect, useState } from 'react'
import { takeSlot } from '#ui/lib/image-slots.ts'
import './Thumb.css'

interface ThumbProps {
  /** Undefined where there is no picture to ask for. */
  src: string | undefined
  /** Stands in the same box until the picture is there, and when there is none. */
  fallback: ReactNode
  /** Called when it is no picture. */
  onBroken?: (() => void) | undefined
}

/** A small picture that waits for its turn, so that a folder of images never floods the server. */
export function Thumb({ src, fallback, onBroken }: ThumbProps) {
  // While it is held the browser has its bytes, and the element below asks for nothing again.
  const [loaded, setLoaded] = useState<{ src: string; picture: HTMLImageElement }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever hears of it changes nothing about the picture
  useEffect(() => {
    const loadedAs = (picture: HTMLImageElement) => src && setLoaded({ src, picture })
    return src === undefined ? undefined : takeSlot(src, loadedAs, onBroken)
  }, [src])
  if (src === undefined || loaded?.src !== src) return fallback
  return <img className="Thumb" src={src} alt="" draggable={false} />
}
