import { type ReactNode, useState } from 'react'
import { publicFileUrl, publicPreviewUrl, type ShareKey } from '#ui/lib/share-links.ts'
import { settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './SharePreview.css'

interface SharePreviewProps {
  share: ShareKey
  entry: Pick<Entry, 'name' | 'type' | 'modified'>
  path: TreePath
  /** Shown when the file has no preview. */
  fallback?: ReactNode
}

/** Whether the page itself can show it: pictures, audio and video. */
export function isPreviewable({ type }: Pick<Entry, 'type'>): boolean {
  return type === 'image' || type === 'audio' || type === 'video'
}

/** Shows a file, of a picture its preview in a fitting size; the fallback when nothing can show it. */
export function SharePreview({ share, entry, path, fallback }: SharePreviewProps) {
  const full = publicFileUrl(share, path, true)
  const hasSmaller = entry.type === 'image' && settings.ResizePreview
  const sources = hasSmaller ? [publicPreviewUrl(share, 'big', path, entry), full] : [full]
  const [broken, setBroken] = useState<readonly string[]>([])
  const src = sources.find((one) => !broken.includes(one))
  if (!isPreviewable(entry) || src === undefined) return fallback
  const media = { src, onError: () => setBroken([...broken, src]) }
  return (
    <div className="SharePreview" data-type={entry.type}>
      {entry.type === 'image' && <img {...media} alt={entry.name} />}
      {/* biome-ignore-start lint/a11y/useMediaCaption: an uploaded file has no captions that the server knows */}
      {entry.type === 'audio' && <audio {...media} controls aria-label={entry.name} />}
      {entry.type === 'video' && (
        <video {...media} controls playsInline preload="metadata" aria-label={entry.name} />
      )}
      {/* biome-ignore-end lint/a11y/useMediaCaption: an uploaded file has no captions that the server knows */}
    </div>
  )
}
