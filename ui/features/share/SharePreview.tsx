import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react'
import { FilmPlayer } from '#ui/components/FilmPlayer.tsx'
import { Loading } from '#ui/components/Loading.tsx'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { pagePictureUrl } from '#ui/lib/page-picture.ts'
import { publicFileUrl, publicPreviewUrl, type ShareKey } from '#ui/lib/share-urls.ts'
import { settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './SharePreview.css'

/** The props of the component that shows a text in a share. */
export interface SharedTextProps {
  share: ShareKey
  name: string
  path: TreePath
}

interface SharePreviewProps {
  share: ShareKey
  entry: Pick<Entry, 'name' | 'type' | 'modified' | 'size'>
  path: TreePath
  /** The component for texts, if texts are shown. */
  Text?: ComponentType<SharedTextProps> | undefined
  /** Shown if the file has no preview. */
  fallback?: ReactNode
}

/** Whether a small preview is possible: pictures, audio and video. */
export function isPreviewable({ type }: Pick<Entry, 'type'>): boolean {
  return type === 'image' || type === 'audio' || type === 'video'
}

/** Whether the page of a file can show it: also PDF and text. */
export function isReadable(entry: Pick<Entry, 'type' | 'size'>): boolean {
  if (entry.type === 'pdf') return navigator.pdfViewerEnabled
  return isPreviewable(entry) || isText(entry)
}

/** Whether it is a text that is small enough to show. */
function isText({ type, size }: Pick<Entry, 'type' | 'size'>): boolean {
  return (type === 'text' || type === 'textImmutable') && size <= UI_LIMITS.compareMaxBytes
}

/** Shows a file, a picture as a preview in a fitting size; the fallback if it cannot be shown. */
export function SharePreview({ share, entry, path, Text, fallback }: SharePreviewProps) {
  const full = publicFileUrl(share, path, true)
  const hasSmaller = entry.type === 'image' && settings.ResizePreview
  const sources = hasSmaller ? [publicPreviewUrl(share, 'big', path, entry), full] : [full]
  const [broken, setBroken] = useState<readonly string[]>([])
  // It stands in for a picture until that is loaded.
  const [early, setEarly] = useState(pagePictureUrl)
  const src = sources.find((one) => !broken.includes(one))
  if (Text && isText(entry)) {
    return (
      <div className="SharePreview" data-type="text">
        <Suspense fallback={<Loading />}>
          <Text share={share} name={entry.name} path={path} />
        </Suspense>
      </div>
    )
  }
  if (Text && entry.type === 'pdf' && navigator.pdfViewerEnabled) {
    return (
      <div className="SharePreview" data-type="pdf">
        <iframe className="SharePreview__pdf" title={entry.name} src={full} />
      </div>
    )
  }
  if (!isPreviewable(entry) || src === undefined) return fallback
  const media = { src, onError: () => setBroken([...broken, src]) }
  return (
    <div className="SharePreview" data-type={entry.type}>
      {entry.type === 'image' && early && (
        <img className="SharePreview__early" src={early} alt="" />
      )}
      {entry.type === 'image' && (
        <img {...media} alt={entry.name} onLoad={() => setEarly(undefined)} />
      )}
      {entry.type === 'audio' && <audio {...media} controls aria-label={entry.name} />}
      {entry.type === 'video' && <Film {...media} name={entry.name} />}
    </div>
  )
}

function Film(props: Pick<ComponentProps<typeof FilmPlayer>, 'name' | 'src' | 'onError'>) {
  const player = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  return <FilmPlayer {...props} player={player} frame={frame} />
}
