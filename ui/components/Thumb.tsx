import { type ReactNode, useEffect, useState } from 'react'
import { takeSlot } from '#ui/lib/image-slots.ts'
import './Thumb.css'

interface ThumbProps {
  /** Undefined where there is no picture to ask for. */
  src: string | undefined
  /** Stands in the same box until the picture is there, and when there is none. */
  fallback: ReactNode
}

/** A small picture that waits for its turn, so that a folder of images never floods the server. */
export function Thumb({ src, fallback }: ThumbProps) {
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    return src === undefined ? undefined : takeSlot(src, () => setShown(src))
  }, [src])
  if (src === undefined || shown !== src) return fallback
  return <img className="Thumb" src={src} alt="" draggable={false} />
}
