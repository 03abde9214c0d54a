import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { Card } from '#ui/components/feedback/Card.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { NARROW } from '#ui/lib/page/media.ts'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import type { SharedEntry } from '#ui/state/sharing/public-share.ts'
import { type FileEntry, isListing, type Listing } from '#wire/api/entry.ts'
import { archiveKindOf } from '#wire/formats/archives.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { ShareCrumbs } from '../folder/ShareCrumbs.tsx'
import { ShareList } from '../folder/ShareList.tsx'
import { ShareNav } from './ShareNav.tsx'
import { isPreviewable, isReadable, type SharedReaderProps, SharePreview } from './SharePreview.tsx'
import { ShareSheet } from './ShareSheet.tsx'
import { useShareNav } from './use-share-nav.ts'
import './ShareView.css'

interface ShareViewProps {
  share: ShareKey
  entry: SharedEntry
  name: string
  /** The name of the shared folder. */
  root: string
  /** The component for texts and documents. */
  Reader: ComponentType<SharedReaderProps>
  /** The component for archives. */
  Archive: ComponentType<SharedArchiveProps>
}

/** The props of the component that shows an archive in a share. */
export interface SharedArchiveProps {
  share: ShareKey
  path: TreePath
  entry: FileEntry
}

/** The content of a share: a file with its preview, or a folder with its list. */
export function ShareView({ share, entry, name, root, Reader, Archive }: ShareViewProps) {
  const isInFolder = entry.path !== ''
  const path = isInFolder ? entry.path : ROOT
  const crumbs = <ShareCrumbs address={{ hash: share.hash, path }} root={root} />
  if (isListing(entry)) {
    return <SharedFolder share={share} path={path} folder={entry} name={name} crumbs={crumbs} />
  }
  return (
    <div
      className="ShareView"
      data-alone={(!isInFolder && !isReadable(entry) && !isArchive(entry)) || undefined}
    >
      <ShareSheet share={share} path={path} entry={entry} name={name} />
      <SharedFile
        share={share}
        path={path}
        file={entry}
        crumbs={isInFolder && crumbs}
        Reader={Reader}
        Archive={Archive}
      />
    </div>
  )
}

interface SharedFolderProps {
  share: ShareKey
  path: TreePath
  folder: Listing
  name: string
  crumbs: ReactNode
}

/** A single selected entry is previewed: beside the list, or above it in narrow windows. */
function SharedFolder({ share, path, folder, name, crumbs }: SharedFolderProps) {
  const isNarrow = useMedia(NARROW)
  const [selected, setSelected] = useState<ReadonlySet<string>>()
  const single =
    selected?.size === 1 ? folder.items.find((item) => selected.has(item.path)) : undefined
  const preview = single && isPreviewable(single) && (
    <SharePreview share={share} entry={single} path={single.path} />
  )
  return (
    <div className="ShareView">
      <ShareSheet
        share={share}
        path={path}
        entry={folder}
        name={name}
        picture={(!isNarrow && preview) || undefined}
      />
      <ShareList
        share={share}
        folder={folder}
        crumbs={crumbs}
        selected={selected}
        onSelect={setSelected}
        preview={isNarrow && preview}
      />
    </div>
  )
}

interface SharedFileProps {
  share: ShareKey
  path: TreePath
  file: FileEntry
  /** Breadcrumbs to the folder, for a file inside one. */
  crumbs: ReactNode
  Reader: ComponentType<SharedReaderProps>
  Archive: ComponentType<SharedArchiveProps>
}

/** Whether the file is shown as an archive: by the ending of its name, and not if the server found text in it. */
function isArchive({ name, type }: FileEntry): boolean {
  return type === 'blob' && archiveKindOf(name) !== undefined
}

/** The content of a file as large as possible; nothing for a single shared file that no viewer can show. */
function SharedFile({ share, path, file, crumbs, Reader, Archive }: SharedFileProps) {
  const { nav, swipe } = useShareNav(share.hash)
  if (!crumbs && !isReadable(file) && !isArchive(file)) return null
  return (
    <Card className="ShareView__file" {...swipe}>
      {crumbs && (
        <div className="ShareView__bar">
          {crumbs}
          <ShareNav {...nav} />
        </div>
      )}
      {isArchive(file) ? (
        <div className="ShareView__archive">
          <Suspense fallback={<Loading />}>
            <Archive share={share} path={path} entry={file} />
          </Suspense>
        </div>
      ) : (
        <SharePreview
          share={share}
          entry={file}
          path={path}
          Reader={Reader}
          fallback={
            <div className="ShareView__stage">
              <FileIcon entry={file} />
            </div>
          }
        />
      )}
    </Card>
  )
}
