import { FileIcon } from '#ui/components/FileIcon.tsx'
import { useAsync } from '#ui/components/use-async.ts'
import { type MessageKey, useTranslation } from '#ui/i18n/i18n.ts'
import { isPictureName } from '#ui/lib/pictures.ts'
import type { ShareKey } from '#ui/lib/share-urls.ts'
import { isDamagedShared } from '#ui/state/media-damage.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './BrokenPreview.css'

interface BrokenPreviewProps {
  share: ShareKey
  entry: Pick<Entry, 'name' | 'type'>
  path: TreePath
  /** Whether it is a picture with too many pixels. */
  isTooLarge: boolean
}

/** A picture, film or recording that cannot be shown, and the reason. The page has a download button already. */
export function BrokenPreview({ share, entry, path, isTooLarge }: BrokenPreviewProps) {
  const { t } = useTranslation()
  const isPicture = entry.type === 'image'
  const damage = useAsync(isPicture ? undefined : path, (signal) =>
    isDamagedShared(share, entry, path, signal),
  )
  return (
    <div className="BrokenPreview">
      <FileIcon entry={{ ...entry, isDir: false }} />
      {(isPicture || damage.status !== 'loading') && (
        <p className="BrokenPreview__reason">{t(reason())}</p>
      )}
    </div>
  )

  function reason(): MessageKey {
    if (isTooLarge) return 'viewer.tooManyPixels'
    if (isPicture) return isPictureName(entry.name) ? 'documents.broken' : 'viewer.noPicture'
    if (damage.status === 'loaded' && damage.value) return 'documents.broken'
    return entry.type === 'video' ? 'viewer.noFilm' : 'viewer.noSound'
  }
}
