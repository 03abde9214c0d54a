import { type ReactNode, useState } from 'react'
import { Card } from '#ui/components/feedback/Card.tsx'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
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
  const [selected, setSelected] = useState<ReadonlySet<string>>()
  const single =
    selected?.size === 1 ? folder.items.find((item) => selected.has(item.path)) : undefined
  return (
    <div className="ShareView">
      <ShareSheet share={share} path={path} entry={folder} name={name} selected={single} />
      <ShareList
        share={share}
        folder={folder}
        crumbs={<ShareCrumbs address={{ hash: share.hash, path }} root={root} />}
        selected={selected}
        onSelect={setSelected}
      />
    </div>
  )
}
