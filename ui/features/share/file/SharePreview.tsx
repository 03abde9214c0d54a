import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  Suspense,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { FilmPlayer } from '#ui/components/player/FilmPlayer.tsx'
import { isNetworkError } from '#ui/lib/entries/media-error.ts'
import { type DocumentViewer, documentViewerOf } from '#ui/lib/entries/viewers.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { pagePictureUrl } from '#ui/lib/page/page-picture.ts'
import { hasTooManyPixels } from '#ui/lib/urls/pictures.ts'
import { publicFileUrl, publicPreviewUrl, type ShareKey } from '#ui/lib/urls/share-urls.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { BrokenPreview } from './BrokenPreview.tsx'
import './SharePreview.css'

/** The files that need the `Reader` component: texts and documents. */
type ReaderKind = 'text' | DocumentViewer

type PreviewedEntry = Pick<Entry, 'name' | 'type' | 'modified' | 'size'>

/** The props of the component that shows a text or a document in a share. */
export interface SharedReaderProps {
  share: ShareKey
  kind: ReaderKind
  name: string
  path: TreePath
}

interface SharePreviewProps {
  share: ShareKey
  entry: PreviewedEntry
  path: TreePath
  /** The component for texts and documents, if they are shown. */
  Reader?: ComponentType<SharedReaderProps> | undefined
  /** Shown if the file has no preview. Without it, a preview that fails shows nothing instead of the reason. */
  fallback?: ReactNode
}

/** Whether a small preview is possible: pictures, audio and video. */
export function isPreviewable({ type }: Pick<Entry, 'type'>): boolean {
  return type === 'image' || type === 'audio' || type === 'video'
}

/** Whether the page of a file can show it: also texts and documents. */
export function isReadable(entry: PreviewedEntry): boolean {
  return isPreviewable(entry) || readerKindOf(entry) !== undefined
}

function readerKindOf(entry: PreviewedEntry): ReaderKind | undefined {
  return isText(entry) ? 'text' : documentViewerOf(entry)
}

/** Whether the file is a text that is small enough to show. */
function isText({ type, size }: Pick<Entry, 'type' | 'size'>): boolean {
  return (type === 'text' || type === 'textImmutable') && size <= ON_DEMAND_LIMITS.compareMaxBytes
}

/** What happened while a file was loaded. */
interface LoadState {
  /** Its path and time of change. */
  file: string
  /** The sources that could not be shown. */
  broken: readonly string[]
  /** Whether the connection broke while a film or recording was loaded. */
  isCut: boolean
  /** Whether it is a picture with too many pixels. */
  isTooLarge: boolean
  /** The picture that the server put into the page: shown until the real one is loaded. */
  early: string | undefined
}

const NOTHING_LOADED = { broken: [], isCut: false, isTooLarge: false, early: undefined }

/** Shows a file: a picture as a preview, audio and video in a player, a text or document with the `Reader`. */
export function SharePreview({ share, entry, path, Reader, fallback }: SharePreviewProps) {
  const full = publicFileUrl(share, path, true)
  const hasSmaller = entry.type === 'image' && settings.ResizePreview
  const sources = hasSmaller ? [publicPreviewUrl(share, 'big', path, entry), full] : [full]
  // The component stays for the next file of a folder, whose state begins anew.
  const file = `${path} ${entry.modified}`
  const [stored, setStored] = useState<LoadState>(() => ({
    ...NOTHING_LOADED,
    ...{ file, early: pagePictureUrl() },
  }))
  const state = stored.file === file ? stored : { ...NOTHING_LOADED, file }
  const { broken, isCut, isTooLarge, early } = state
  const src = sources.find((one) => !broken.includes(one))
  const kind = Reader && readerKindOf(entry)
  if (Reader && kind) {
    return (
      <div className="SharePreview" data-type={kind}>
        <Suspense fallback={<Loading />}>
          <Reader share={share} kind={kind} name={entry.name} path={path} />
        </Suspense>
      </div>
    )
  }
  if (!isPreviewable(entry) || (!fallback && src === undefined)) return fallback
  if (isTooLarge || src === undefined) {
    return (
      <BrokenPreview
        {...{ share, entry, path, isTooLarge, isCut }}
        onRetry={() => setStored({ ...NOTHING_LOADED, file })}
      />
    )
  }
  function onLoad({
    currentTarget: { naturalWidth, naturalHeight },
  }: SyntheticEvent<HTMLImageElement>) {
    const size = { width: naturalWidth, height: naturalHeight }
    setStored({ ...state, early: undefined, isTooLarge: hasTooManyPixels(size) })
  }
  const media = {
    src,
    onError: ({ currentTarget }: SyntheticEvent<HTMLImageElement | HTMLMediaElement>) =>
      setStored({
        ...state,
        broken: [...broken, src],
        isCut: 'error' in currentTarget && isNetworkError(currentTarget.error),
      }),
  }
  return (
    <div className="SharePreview" data-type={entry.type}>
      {entry.type === 'image' && early && (
        <img className="SharePreview__early" src={early} alt="" />
      )}
      {entry.type === 'image' && <img {...media} alt={entry.name} onLoad={onLoad} />}
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
