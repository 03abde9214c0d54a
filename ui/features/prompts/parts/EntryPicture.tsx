import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { thumbnailUrl } from '#ui/lib/urls/content-urls.ts'
import { hasThumbnail, rowThumbnailOf } from '#ui/state/session/settings.ts'
import type { EntryType } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './EntryPicture.css'

interface EntryPictureProps {
  entry: { name: string; isDir: boolean; type: EntryType; modified: string }
  /** The path of the entry on the server; without it, the icon is shown. */
  path?: TreePath
}

/** The thumbnail of an entry if its type has one, otherwise the icon of its type. */
export function EntryPicture({ entry, path }: EntryPictureProps) {
  const icon = <FileIcon entry={entry} />
  const showsThumbnail = path !== undefined && hasThumbnail(entry)
  const preview = rowThumbnailOf(entry)
  return (
    <span className="EntryPicture">
      {showsThumbnail ? (
        <Thumb
          src={thumbnailUrl(entry, path, preview)}
          isWhole={preview === 'small'}
          fallback={icon}
        />
      ) : (
        icon
      )}
    </span>
  )
}
