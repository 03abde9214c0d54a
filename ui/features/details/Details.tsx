import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { FileInfo } from '#ui/components/file/FileInfo.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { bigPreviewUrl, thumbnailUrl } from '#ui/lib/urls/content-urls.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { detailsOf } from '#ui/state/file/file-details.ts'
import {
  checksumOf,
  checksumsOf,
  fileInfoOf,
  hasMoreInfo,
  headingOf,
  moreInfoOf,
} from '#ui/state/file/file-info.ts'
import { versionsOf } from '#ui/state/file/versions.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { session } from '#ui/state/session/session.ts'
import { hasTextPicture, hasThumbnail, settings } from '#ui/state/session/settings.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Entry } from '#wire/api/entry.ts'
import './Details.css'

/** The maximum number of thumbnails in the stack. */
const STACK_SIZE = 3

/** The details panel: information about the selection, or about the folder if nothing is selected. */
export function Details() {
  const { t } = useTranslation()
  const { entry } = useSnapshot(listing)
  const { targets } = useActionContext()
  // The snapshot of a `ref` is the entry itself.
  const shown = targets.length > 0 ? targets : entry ? [entry as Entry] : []
  const [first, ...rest] = shown
  if (!first) return null
  const details = rest.length === 0 ? detailsOf(first) : undefined
  return (
    <aside className="Details" aria-label={t('details.title')}>
      <div className="Details__head">
        <h2 className="Details__title" dir="auto">
          {headingOf(shown)}
        </h2>
        <IconButton
          icon="x"
          size="s"
          label={t('common.close')}
          onClick={() => {
            layout.detailsOpen = false
          }}
        />
      </div>
      <div className="Details__stack" data-single={rest.length === 0 || undefined}>
        {shown.slice(0, STACK_SIZE).map((item) => (
          <Picture key={item.path} entry={item} isLarge={rest.length === 0} />
        ))}
      </div>
      <FileInfo
        subject={`${first.path} ${first.modified}`}
        items={fileInfoOf(shown)}
        more={
          rest.length === 0 && hasMoreInfo(first)
            ? (signal) => moreInfoOf(first, signal)
            : undefined
        }
        versions={rest.length === 0 ? versionsOf(first) : undefined}
        access={details && { load: details.access, onExplain: details.explain }}
        activity={details && { href: details.activityHref, load: details.activity }}
        algorithms={checksumsOf(shown)}
        checksum={(algorithm, signal) => checksumOf(first, algorithm, signal)}
        onCopy={(text) => copy(text)}
      />
    </aside>
  )
}

/** The thumbnail of an entry, or its icon. `isLarge`: a single entry is shown as large as possible. */
function Picture({ entry, isLarge }: { entry: Entry; isLarge: boolean }) {
  const hasPicture = hasThumbnail(entry) || (isLarge && hasTextPicture(entry))
  const isShown = session.user?.perm.download && hasPicture
  const urlOf = isLarge && settings.ResizePreview ? bigPreviewUrl : thumbnailUrl
  return (
    <Thumb
      src={isShown ? urlOf(entry, entry.path) : undefined}
      fallback={<FileIcon entry={entry} />}
    />
  )
}
