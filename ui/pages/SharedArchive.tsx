import { useMemo } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { ArchiveView } from '#ui/features/archive/ArchiveView.tsx'
import type { SharedArchiveProps } from '#ui/features/share/file/ShareView.tsx'
import { insideOf } from '#ui/lib/urls/archive-urls.ts'
import { sharedArchive } from '#ui/state/file/archive-source.ts'

const ArchiveText = lazyPart(async () => (await import('./ArchiveText.tsx')).ArchiveText)

/** The content of a shared archive; the URL contains the path in the archive. */
export function SharedArchive({ share: { hash, token }, path, entry }: SharedArchiveProps) {
  const search = useSearch()
  const { name, modified, size } = entry
  const source = useMemo(
    () => sharedArchive({ hash, token }, path, { name, modified, size }),
    [hash, token, path, name, modified, size],
  )
  return <ArchiveView source={source} location={insideOf(search)} Text={ArchiveText} />
}
