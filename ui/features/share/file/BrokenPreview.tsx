import { Button } from '#ui/components/controls/Button.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { type MessageKey, useTranslation } from '#ui/i18n/i18n.ts'
import { isPictureName } from '#ui/lib/urls/pictures.ts'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import { sharedProblemOf } from '#ui/state/media/media-damage.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import './BrokenPreview.css'

interface BrokenPreviewProps {
  share: ShareKey
  entry: Pick<Entry, 'name' | 'type'>
  path: TreePath
  /** Whether it is a picture with too many pixels. */
  isTooLarge: boolean
  /** Whether the connection broke while a film or recording was loaded. */
  isCut: boolean
  /** Shows the preview again. */
  onRetry(): void
}

/**
 * A picture, film or recording that cannot be shown, and the reason. If the reason may pass, the visitor can try again.
 * The page has a download button already.
 */
export function BrokenPreview(props: BrokenPreviewProps) {
  const { share, entry, path, isTooLarge, isCut, onRetry } = props
  const { t } = useTranslation()
  const isPicture = entry.type === 'image'
  const problem = useAsync(isTooLarge ? undefined : path, (signal) =>
    sharedProblemOf(share, entry, path, signal),
  )
  const isRefused = problem.status === 'failed'
  return (
    <div className="BrokenPreview">
      <FileIcon entry={{ ...entry, isDir: false }} />
      {(isTooLarge || problem.status !== 'loading') && (
        <p className="BrokenPreview__reason">
          {isRefused ? faultText(problem.error) : t(reason())}
        </p>
      )}
      {!isTooLarge && (isRefused || isCut) && (
        <Button onClick={onRetry}>{t('common.tryAgain')}</Button>
      )}
    </div>
  )

  function reason(): MessageKey {
    if (isTooLarge) return 'viewer.tooManyPixels'
    if (isPicture) return isPictureName(entry.name) ? 'documents.broken' : 'viewer.noPicture'
    if (isCut) return 'fault.unavailable'
    if (problem.status === 'loaded' && problem.value === 'damaged') return 'documents.broken'
    return entry.type === 'video' ? 'viewer.noFilm' : 'viewer.noSound'
  }
}
