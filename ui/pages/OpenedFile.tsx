import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from '#ui/components/Loading.tsx'
import { FallbackCard } from '#ui/features/preview/FallbackCard.tsx'
import type { Viewer } from '#ui/lib/viewers.ts'
import type { FileEntry } from '#wire/entry.ts'

type View = ComponentType<{ file: FileEntry }>

/** What shows a file. Each comes when the first of its kind is opened. */
const VIEWS: Record<Viewer, View> = {
  editor: lazy(async () => ({ default: (await import('#ui/features/editor/Editor.tsx')).Editor })),
  table: lazy(async () => ({
    default: (await import('#ui/features/table/TableView.tsx')).TableView,
  })),
  image: lazy(async () => ({
    default: (await import('#ui/features/preview/ImageViewer.tsx')).ImageViewer,
  })),
  video: lazy(async () => ({
    default: (await import('#ui/features/preview/VideoPlayer.tsx')).VideoPlayer,
  })),
  audio: lazy(async () => ({
    default: (await import('#ui/features/preview/AudioPlayer.tsx')).AudioPlayer,
  })),
  pdf: lazy(async () => ({
    default: (await import('#ui/features/preview/PdfFrame.tsx')).PdfFrame,
  })),
  book: lazy(async () => ({
    default: (await import('#ui/features/book/BookReader.tsx')).BookReader,
  })),
  card: FallbackCard,
}

interface OpenedFileProps {
  file: FileEntry
  viewer: Viewer
  /** Shows it in place of the viewer's own view. */
  as?: View
}

/** One file, in the viewer that fits it. */
export function OpenedFile({ file, viewer, as }: OpenedFileProps) {
  const View = as ?? VIEWS[viewer]
  return (
    <Suspense fallback={<Loading />}>
      <View file={file} />
    </Suspense>
  )
}
