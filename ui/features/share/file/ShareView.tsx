import { type ReactNode, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { Card } from '#ui/components/feedback/Card.tsx'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import { resetSelection, selectedOf, selection } from '#ui/state/folder/selection.ts'
import type { SharedEntry } from '#ui/state/sharing/public-share.ts'
import { isListing, type Listing } from '#wire/api/entry.ts'
import { ROOT } from '#wire/paths.ts'
import { ShareCrumbs } from '../folder/ShareCrumbs.tsx'
import { ShareList } from '../folder/ShareList.tsx'
import { ShareSheet } from './ShareSheet.tsx'
import './ShareView.css'

interface ShareViewProps {
  share: ShareKey
  entry: SharedEntry
  name: string
  /** The name of the shared folder. */
  root: string
  /** The viewer of a single shared file; nothing for a file that no viewer can show. */
  viewer: ReactNode
}

/** The content of a share: a folder with its list, or a single file with its viewer. */
export function ShareView({ share, entry, name, root, viewer }: ShareViewProps) {
  if (isListing(entry)) return <SharedFolder share={share} folder={entry} name={name} root={root} />
  return (
    <div className="ShareView" data-alone={!viewer || undefined}>
      <ShareSheet share={share} path={ROOT} entry={entry} name={name} />
      {viewer && (
        <Card className="ShareView__file">
          <div className="ShareView__viewer">{viewer}</div>
        </Card>
      )}
    </div>
  )
}

interface SharedFolderProps {
  share: ShareKey
  folder: Listing
  name: string
  root: string
}

/** A single selected picture replaces the cover. */
function SharedFolder({ share, folder, name, root }: SharedFolderProps) {
  const path = folder.path
  const { paths } = useSnapshot(selection)
  useEffect(() => resetSelection, [])
  // The snapshot of a `ref` is the set itself.
  const [first, ...others] = selectedOf(folder.items, paths as ReadonlySet<string>)
  return (
    <div className="ShareView">
      <ShareSheet
        share={share}
        path={path}
        entry={folder}
        name={name}
        selected={others.length === 0 ? first : undefined}
      />
      <ShareList
        share={share}
        title={name}
        folder={folder}
        crumbs={<ShareCrumbs address={{ hash: share.hash, path }} root={root} />}
      />
    </div>
  )
}
