import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Spinner } from '#ui/components/feedback/Spinner.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import { formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { removePagePicture } from '#ui/lib/page/page-picture.ts'
import {
  hasTooManyPixels,
  isPictureName,
  PREVIEW_PX,
  picturesOf,
  unopenedPictureOf,
} from '#ui/lib/urls/pictures.ts'
import { useViewerContext } from '#ui/state/action-context.ts'
import { type FileSource, useFileSource } from '#ui/state/file/file-source.ts'
import { registerControls, viewerState } from '#ui/state/file/viewer.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { Entry, FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { BrokenMedia } from './BrokenMedia.tsx'
import { CropArea, sizeText } from './CropArea.tsx'
import { CropTools } from './CropTools.tsx'
import { FallbackCard } from './FallbackCard.tsx'
import { PictureFacts } from './PictureFacts.tsx'
import { Preview } from './Preview.tsx'
import { prefetch, prefetched } from './prefetched.ts'
import { SaveRotation } from './SaveRotation.tsx'
import { type Crop, useCrop } from './use-crop.ts'
import { useDevicePixelRatio } from './use-device-pixel-ratio.ts'
import { GAP_PX, usePageTurn } from './use-page-turn.ts'
import { useZoom } from './use-zoom.ts'
import { inCssPixels, type PixelSize } from './zoom.ts'
import './ImageViewer.css'

/** A picture that can be zoomed, moved and rotated. */
export function ImageViewer({ file }: { file: FileEntry }) {
  const [attempt, setAttempt] = useState(0)
  const onRetry = () => setAttempt(attempt + 1)
  // With another content, the rotation begins again.
  return <Picture key={`${attempt} ${file.modified}`} file={file} onRetry={onRetry} />
}

function Picture({ file, onRetry }: { file: FileEntry; onRetry(): void }) {
  const { t } = useTranslation()
  const viewer = useRef<HTMLDivElement>(null)
  const { showsOriginal } = useSnapshot(viewerState)
  const source = useFileSource()
  const sources = picturesOf(file, parsePath(file.path), settings.ResizePreview, source)
  const [failed, setFailed] = useState<readonly string[]>([])
  const [shown, setShown] = useState(() => prefetched(unopenedPicture(file, source)))
  const [isTooLarge, setTooLarge] = useState(hasTooManyPixels(file.resolution))
  const usable = (src: string | undefined) => (src && !failed.includes(src) ? src : undefined)
  const [full, preview] = [usable(sources.full), usable(sources.preview)]

  const isPreview = shown !== undefined && shown.src !== sources.full && full !== undefined
  const isLargePreview = isPreview && Math.max(shown.size.width, shown.size.height) >= PREVIEW_PX
  const { previous, next } = useViewerContext()
  const [left, right] = isRightToLeft() ? [next, previous] : [previous, next]
  const strip = useRef<HTMLDivElement>(null)
  const turn = usePageTurn(strip, { left: left !== undefined, right: right !== undefined })
  const zoom = useZoom(viewer, { size: shown?.size, isPreview: isLargePreview }, turn)
  const hasFull = shown !== undefined && shown.src === full
  const best = showsOriginal || zoom.isMagnified || hasFull ? (full ?? preview) : (preview ?? full)
  // The picture that the user waits for has the connection for itself.
  usePrefetch(shown === undefined ? [] : [previous, next], source)
  const isFinal = shown !== undefined || isTooLarge || best === undefined
  useEffect(() => {
    if (isFinal) removePagePicture()
  }, [isFinal])
  useRecordedOpening(source, file.path, shown !== undefined && shown.src === best)
  usePrintSheet(() => printedPicture(shown?.src, file.name))
  const originalSize = useOriginalSize(file, source, shown !== undefined && full === undefined)
  const pictureSize = shown && shown.src !== sources.full ? originalSize : shown?.size
  const crop = useCrop(file, pictureSize, zoom.reset)
  useViewerControls(zoom, crop, {
    info: pictureSize ? sizeText(pictureSize) : '',
    isShown: shown !== undefined,
    isPreview,
    hasPreview: full !== undefined && preview !== undefined,
  })

  if (isTooLarge) return <FallbackCard file={file} hint={t('viewer.tooManyPixels')} />
  if (!best) {
    return <BrokenMedia file={file} otherwise={reasonOf(file.name)} onRetry={onRetry} />
  }
  const { view, fitted, quarters } = zoom
  /** The size is known before the pixels are decoded, so a picture with too many is never decoded. */
  function show(src: string, size: PixelSize): void {
    if (hasTooManyPixels(size)) setTooLarge(true)
    else setShown({ src, size })
  }
  const degrees = (quarters % 4) * 90
  return (
    <Preview
      tools={
        crop.area ? (
          <CropTools file={file} area={crop.area} crop={crop} />
        ) : (
          <>
            {degrees > 0 && <SaveRotation key={degrees} file={file} degrees={degrees} />}
            <ZoomTools
              isFitted={view.scale === 1}
              relativeScale={pictureSize && zoom.relativeScale(pictureSize)}
            />
          </>
        )
      }
    >
      <div
        ref={viewer}
        className="ImageViewer"
        data-magnified={zoom.isMagnified || undefined}
        {...zoom.handlers}
      >
        <div ref={strip} className="ImageViewer__strip">
          <img
            className="ImageViewer__picture"
            src={shown?.src}
            alt={file.name}
            draggable={false}
            hidden={!shown}
            style={{
              inlineSize: fitted.width,
              blockSize: fitted.height,
              transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale}) rotate(${quarters * 90}deg)`,
            }}
          />
          {turn.isTurning && left && <Neighbour entry={left} source={source} side={-1} />}
          {turn.isTurning && right && <Neighbour entry={right} source={source} side={1} />}
        </div>
        {/* Loaded hidden, so that the current picture stays until the better one is complete. */}
        {shown?.src !== best && (
          <img
            className="ImageViewer__loading"
            src={best}
            alt=""
            onLoad={(event) => show(best, naturalSize(event))}
            onError={() => setFailed([...failed, best])}
          />
        )}
        {!shown && (
          <>
            <StandIn file={file} source={source} />
            <Spinner label={t('common.loading')} />
          </>
        )}
      </div>
      {crop.area && pictureSize ? (
        <CropArea size={pictureSize} shown={fitted} area={crop.area} crop={crop} />
      ) : (
        <PictureFacts file={file} />
      )}
    </Preview>
  )
}

/** Why a picture is not shown that neither the browser nor the server could decode. */
function reasonOf(name: string) {
  if (isPictureName(name)) return 'documents.broken'
  return /\.(?:heic|heif|hif)$/i.test(name) ? 'viewer.noHeif' : 'viewer.noPicture'
}

/** A picture on one page. It is loaded already. */
function printedPicture(src: string | undefined, name: string): Node | undefined {
  if (src === undefined) return undefined
  const picture = new Image()
  picture.src = src
  picture.alt = name
  return picture
}

/**
 * The size of the picture in the file. Browsers cannot show some formats: then it is not the size of what is shown, and the
 * file may not begin with it, so it is requested.
 */
function useOriginalSize(
  file: FileEntry,
  source: FileSource,
  isOnlyPreview: boolean,
): PixelSize | undefined {
  const { path, modified, resolution } = file
  const isUnknown = isOnlyPreview && resolution === undefined
  const facts = useAsync(isUnknown ? `${path} ${modified}` : undefined, (signal) =>
    source.facts(parsePath(path), signal),
  )
  if (resolution) return resolution
  const { width, height } = facts.status === 'loaded' ? facts.value : {}
  return width && height ? { width, height } : undefined
}

interface ShownPicture {
  /** The size of the picture, as a text. */
  info: string
  isShown: boolean
  /** Whether a preview is shown, of which there is an original. */
  isPreview: boolean
  hasPreview: boolean
}

/** Lets the actions of the viewer zoom and rotate the picture. */
function useViewerControls(
  zoom: ReturnType<typeof useZoom>,
  { start }: Crop,
  { info, isShown, isPreview, hasPreview }: ShownPicture,
): void {
  /** Whether the original size is wanted as soon as the original is shown. */
  const [isOriginalWanted, setOriginalWanted] = useState(false)
  if (isOriginalWanted && isShown && !isPreview) {
    setOriginalWanted(false)
    zoom.originalSize()
  }
  const zoomBy = useEffectEvent(zoom.zoomBy)
  const fit = useEffectEvent(zoom.fitAgain)
  const rotate = useEffectEvent(zoom.rotate)
  const canCrop = start !== undefined
  const crop = useEffectEvent(() => start?.())
  const originalSize = useEffectEvent(() => {
    if (isPreview) viewerState.showsOriginal = true
    setOriginalWanted(true)
  })
  useEffect(
    () =>
      registerControls({
        info,
        hasPreview,
        zoomControl: {
          zoomBy: (factor) => zoomBy(factor),
          fit: () => fit(),
          originalSize: () => originalSize(),
          rotate: () => rotate(),
          crop: canCrop ? () => crop() : undefined,
        },
      }),
    [info, hasPreview, canCrop],
  )
}

/** The server records no opening for a preview, and a browser may send no request for an original in its cache. */
function useRecordedOpening(source: FileSource, path: string, isShown: boolean): void {
  const recorded = useRef('')
  useEffect(() => {
    if (!isShown || recorded.current === path) return
    recorded.current = path
    source.recordOpening(parsePath(path))
  }, [source, path, isShown])
}

interface ZoomToolsProps {
  /** Whether the picture has the size that fits the window. */
  isFitted: boolean
  /** The scale relative to the picture's own pixels; undefined until its size is known. */
  relativeScale: number | undefined
}

function ZoomTools({ isFitted, relativeScale }: ZoomToolsProps) {
  const { t } = useTranslation()
  const original = actionOf('originalSize')
  return (
    <div className="ImageViewer__tools" role="toolbar" aria-label={t('viewer.tools')}>
      <Tool id="zoomOut" />
      <span className="ImageViewer__scale">
        {isFitted && !isOriginalSize(relativeScale)
          ? t('viewer.fits')
          : relativeScale !== undefined && formatPercent(relativeScale)}
      </span>
      <Tool id="zoomIn" />
      <span className="ImageViewer__line" />
      <Tool id="fitPicture" />
      <Tool id="rotatePicture" />
      <Tool id="cropPicture" />
      <span className="ImageViewer__line" />
      <Tool id="pictureFacts" />
      <span className="ImageViewer__line" />
      <Button tone="quiet" onClick={() => perform(original)}>
        {t(original.label)}
      </Button>
    </div>
  )
}

/** Whether the scale is 1. A small difference is a rounding error of the division by the screen's pixel ratio. */
function isOriginalSize(relativeScale: number | undefined): boolean {
  return relativeScale !== undefined && Math.abs(relativeScale - 1) < 0.001
}

type ToolId = 'zoomIn' | 'zoomOut' | 'fitPicture' | 'rotatePicture' | 'cropPicture' | 'pictureFacts'

function Tool({ id }: { id: ToolId }) {
  const { t } = useTranslation()
  const action = actionOf(id)
  const context = useViewerContext()
  const pressed = action.pressed?.(context)
  if (!action.when(context)) return null
  return (
    <IconButton
      icon={action.icon}
      {...(pressed !== undefined && { pressed })}
      size="s"
      label={t(action.label)}
      onClick={() => perform(action)}
    />
  )
}

interface NeighbourProps {
  entry: Entry
  source: FileSource
  side: -1 | 1
}

/** The next or previous file while the finger moves: a picture, or the icon of another file. */
function Neighbour({ entry, source, side }: NeighbourProps) {
  const src = prefetched(unopenedPicture(entry, source))?.src
  const style = { translate: `calc(${side * 100}% + ${side * GAP_PX}px)` }
  return (
    <div className="ImageViewer__neighbour" style={style}>
      {src === undefined ? <FileIcon entry={entry} /> : <img src={src} alt="" draggable={false} />}
    </div>
  )
}

/** The thumbnail of a picture, in the size of the picture, while that loads. */
function StandIn({ file, source }: { file: FileEntry; source: FileSource }) {
  const [isBroken, setBroken] = useState(false)
  const ratio = useDevicePixelRatio()
  if (isBroken || !unopenedPicture(file, source)) return null
  const size = file.resolution && inCssPixels(file.resolution, ratio)
  // The picture fills one side of this square, also if the file stores it rotated by a quarter turn.
  const side = size && Math.max(size.width, size.height)
  return (
    <img
      className="ImageViewer__standIn"
      src={source.preview('small', file, parsePath(file.path))}
      alt=""
      draggable={false}
      style={{ maxInlineSize: side, maxBlockSize: side }}
      onError={() => setBroken(true)}
    />
  )
}

/** Preloads pictures. */
function usePrefetch(entries: readonly (Entry | undefined)[], source: FileSource): void {
  const urls = entries.flatMap((entry) => (entry && unopenedPicture(entry, source)) ?? [])
  const list = urls.join('\n')
  useEffect(() => {
    for (const src of list.split('\n')) if (src) prefetch(src)
  }, [list])
}

/** The URL of a picture before it is opened, as `prefetch` loads it; undefined for other files. */
function unopenedPicture(entry: Entry, source: FileSource): string | undefined {
  if (entry.type !== 'image') return undefined
  return unopenedPictureOf(entry, parsePath(entry.path), settings.ResizePreview, source)
}

function naturalSize({ currentTarget }: SyntheticEvent<HTMLImageElement>): PixelSize {
  // An SVG without a size reports 0: it can have any size.
  const { naturalWidth, naturalHeight } = currentTarget
  return { width: naturalWidth || SVG_PX, height: naturalHeight || SVG_PX }
}

const SVG_PX = 1024
