import { FallbackCard } from '#ui/features/preview/FallbackCard.tsx'
import { Preview } from '#ui/features/preview/Preview.tsx'
import { documentViewerOf } from '#ui/lib/entries/viewers.ts'
import { rawUrl } from '#ui/lib/urls/content-urls.ts'
import { readContent } from '#ui/state/file/bytes.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { DocumentReader } from './DocumentReader.tsx'

/** A document of the user, in the frame of all viewers. */
export function OpenedDocument({ file }: { file: FileEntry }) {
  const viewer = documentViewerOf(file)
  const path = parsePath(file.path)
  if (!viewer) return <FallbackCard file={file} />
  return (
    <DocumentReader
      // With a new key, another or a changed file is opened as a new document.
      key={`${file.path} ${file.modified}`}
      viewer={viewer}
      name={file.name}
      url={rawUrl(path, true)}
      read={(signal) => readContent(path, signal)}
      renderFrame={(content) => <Preview hidesControls={false}>{content}</Preview>}
      renderFailure={(hint) => <FallbackCard file={file} hint={hint} />}
    />
  )
}
