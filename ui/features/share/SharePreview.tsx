import { type ReactNode, useState } from 'react'
import { publicFileUrl, type ShareKey } from '#ui/lib/share-links.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './SharePreview.css'

interface SharePreviewProps {
  share: ShareKey
  entry: Pick<Entry, 'name' | 'type'>
  path: TreePath
  /** Instead of what cannot be shown. */
  fallback?: ReactNode
}

/** Whether the page itself can show it: pictures, sound and films. */
export function isPreviewable({ type }: Pick<Entry, 'type'>): boolean {
  return type === 'image' || type === 'audio' || type === 'video'
}

/** The thing itself, or the fallback when this browser does not know its format. */
export function SharePreview({ share, entry, path, fallback }: SharePreviewProps) {
  const src = publicFileUrl(share, path, true)
  const [broken, setBroken] = useState<string>()
  if (!isPreviewable(entry) || broken === src) return fallback
  const media = { src, onError: () => setBroken(src) }
  return (
    <div className="SharePreview" data-type={entry.type}>
      {entry.type === 'image' && <img {...media} alt={entry.name} />}
      {/* biome-ignore-start lint/a11y/useMediaCaption: the words of a stranger's recording are unknown */}
      {entry.type === 'audio' && <audio {...media} controls aria-label={entry.name} />}
      {entry.type === 'video' && (
        <video {...media} controls playsInline preload="metadata" aria-label={entry.name} />
      )}
      {/* biome-ignore-end lint/a11y/useMediaCaption: the words of a stranger's recording are unknown */}
    </div>
  )
}
