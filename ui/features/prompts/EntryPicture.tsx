import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Thumb } from '#ui/components/Thumb.tsx'
import { kindOf } from '#ui/lib/kinds.ts'
import { thumbnailUrl } from '#ui/lib/links.ts'
import { settings } from '#ui/state/settings.ts'
import type { EntryType } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './EntryPicture.css'

interface EntryPictureProps {
  entry: { name: string; isDir: boolean; type: EntryType; modified: string }
  /** Where it is on the server; without it there is no small picture of an image. */
  path?: TreePath
}

/** The small picture of an image, and the icon of its kind for everything else. */
export function EntryPicture({ entry, path }: EntryPictureProps) {
  const icon = <FileIcon entry={entry} />
  const pictured = path !== undefined && settings.EnableThumbs && kindOf(entry) === 'image'
  return (
    <span className="EntryPicture">
      {pictured ? <Thumb src={thumbnailUrl(entry, path)} fallback={icon} /> : icon}
    </span>
  )
}
