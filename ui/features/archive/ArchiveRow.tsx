import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { ENTRY_TARGET, EntryTableRow, EntryTarget } from '#ui/components/file/EntryTable.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/page/download.ts'
import type { ArchiveSource } from '#ui/state/file/archive-source.ts'
import type { ArchiveItem } from '#wire/api/archive-contents.ts'
import type { RequestPath } from '#wire/paths.ts'
import { isShown } from './ArchiveFile.tsx'

interface ArchiveRowProps {
  source: ArchiveSource
  item: ArchiveItem
  onGo(event: MouseEvent, target: RequestPath): void
}

/** One entry: a folder or a file that is shown opens, any other file is downloaded. */
export function ArchiveRow({ source, item, onGo }: ArchiveRowProps) {
  const { t } = useTranslation()
  const { path, name, isDir } = item
  const target = { path, asFolder: isDir }
  const label = <EntryTarget entry={item} icon={<FileIcon entry={item} />} />
  const action = !isDir && (
    <IconButton
      icon="download"
      size="s"
      label={t('share.downloadOf', { name })}
      onClick={() => download(source.fileUrl(path))}
    />
  )
  return (
    <EntryTableRow entry={item} action={action}>
      {isDir || isShown(item) ? (
        <Link
          className={ENTRY_TARGET}
          href={source.pageUrl(target)}
          onClick={(event) => onGo(event, target)}
        >
          {label}
        </Link>
      ) : (
        <a className={ENTRY_TARGET} href={source.fileUrl(path)} download>
          {label}
        </a>
      )}
    </EntryTableRow>
  )
}
