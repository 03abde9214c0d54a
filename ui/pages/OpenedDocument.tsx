import { FallbackCard } from '#ui/features/preview/FallbackCard.tsx'
import { Preview } from '#ui/features/preview/Preview.tsx'
import { documentViewerOf } from '#ui/lib/entries/viewers.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { DocumentReader } from './DocumentReader.tsx'

/** A document, in the frame of all viewers. */
export function OpenedDocument({ file }: { file: FileEntry }) {
  const source = useFileSource()
  const viewer = documentViewerOf(file)
  const path = parsePath(file.path)
  if (!viewer) return <FallbackCard file={file} />
  return (
    <DocumentReader
      // With a new key, another or a changed file is opened as a new document.
      key={`${file.path} ${file.modified}`}
      viewer={viewer}
      name={file.name}
      url={source.content(path, true)}
      read={(signal) => source.read(path, signal)}
      renderFrame={(content) => <Preview>{content}</Preview>}
      renderFailure={(hint) => <FallbackCard file={file} hint={hint} />}
    />
  )
}
