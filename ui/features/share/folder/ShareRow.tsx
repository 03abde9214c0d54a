import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { ENTRY_TARGET, EntryTableRow, EntryTarget } from '#ui/components/file/EntryTable.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/page/download.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import {
  publicFileUrl,
  publicPreviewUrl,
  type ShareKey,
  sharePageUrl,
} from '#ui/lib/urls/share-urls.ts'
import { hasThumbnail, rowThumbnailOf } from '#ui/state/session/settings.ts'
import { returnFocus } from '#ui/state/sharing/public-share.ts'
import type { Entry } from '#wire/api/entry.ts'
import { Choosable } from './Choosable.tsx'
import { downloadShared } from './download-shared.ts'

interface ShareRowProps {
  share: ShareKey
  entry: Entry
  /** Undefined outside of the selection mode: a click then opens the entry. */
  isSelected: boolean | undefined
  onChoose(entry: Entry, hasShift: boolean): void
}

/** One entry in a shared folder: a link to its page, or a checkbox. */
export function ShareRow({ share, entry, isSelected, onChoose }: ShareRowProps) {
  const { t } = useTranslation()
  const path = entry.path
  const preview = rowThumbnailOf(entry)
  const icon = (
    <Thumb
      src={hasThumbnail(entry) ? publicPreviewUrl(share, preview, path, entry) : undefined}
      isWhole={preview === 'small'}
      fallback={<FileIcon entry={entry} />}
    />
  )
  const action = hasContent(entry) && (
    <IconButton
      icon="download"
      size="s"
      label={t('share.downloadOf', { name: entry.name })}
      onClick={() =>
        entry.isDir
          ? void downloadShared(share, { folder: path, name: entry.name })
          : download(publicFileUrl(share, path))
      }
    />
  )
  return (
    <EntryTableRow entry={entry} isSelected={isSelected} action={action}>
      {isSelected === undefined ? (
        <Link
          ref={(link) => returnFocus(link, path)}
          className={ENTRY_TARGET}
          href={sharePageUrl(share.hash, path, entry.isDir)}
        >
          <EntryTarget entry={entry} icon={icon} />
        </Link>
      ) : (
        <Choosable
          entry={entry}
          isSelected={isSelected}
          className={ENTRY_TARGET}
          onChoose={onChoose}
        >
          <EntryTarget entry={entry} icon={icon} />
        </Choosable>
      )}
    </EntryTableRow>
  )
}
