import { type ComponentType, Suspense } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import type { Viewer } from '#ui/lib/entries/viewers.ts'
import type { FileEntry } from '#wire/api/entry.ts'

const OpenedDocument = lazyPart(async () => (await import('./OpenedDocument.tsx')).OpenedDocument)

type View = ComponentType<{ file: FileEntry }>

/** The component of each viewer. Each is loaded with the first file of its kind. */
const VIEWS: Record<Viewer, View> = {
  editor: lazyPart(async () => (await import('#ui/features/editor/Editor.tsx')).Editor),
  text: lazyPart(async () => (await import('#ui/features/editor/TextReader.tsx')).TextReader),
  table: lazyPart(async () => (await import('#ui/features/table/TableView.tsx')).TableView),
  image: lazyPart(async () => (await import('#ui/features/preview/ImageViewer.tsx')).ImageViewer),
  video: lazyPart(async () => (await import('#ui/features/preview/VideoPlayer.tsx')).VideoPlayer),
  audio: lazyPart(async () => (await import('#ui/features/preview/AudioPlayer.tsx')).AudioPlayer),
  pdf: OpenedDocument,
  document: OpenedDocument,
  sheets: OpenedDocument,
  book: lazyPart(async () => (await import('#ui/features/book/BookReader.tsx')).BookReader),
  card: lazyPart(async () => (await import('#ui/features/preview/FallbackCard.tsx')).FallbackCard),
  archive: lazyPart(async () => (await import('./OpenedArchive.tsx')).OpenedArchive),
}

interface OpenedFileProps {
  file: FileEntry
  viewer: Viewer
}

/** One file, in the viewer that supports it. */
export function OpenedFile({ file, viewer }: OpenedFileProps) {
  const View = VIEWS[viewer]
  return (
    <Suspense fallback={<Loading />}>
      <View file={file} />
    </Suspense>
  )
}
