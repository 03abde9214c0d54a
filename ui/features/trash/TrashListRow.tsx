// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: rows of a table are selected as in a grid
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { EntryIcon } from '#ui/components/file/EntryIcon.tsx'
import { EntryLabel } from '#ui/components/file/EntryLabel.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import {
  formatColumnSize,
  formatDate,
  formatExactSize,
  formatFullDate,
  formatSpan,
} from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { filesUrl, withBase } from '#ui/lib/page/location.ts'
import { trashPreviewUrl } from '#ui/lib/urls/trash-urls.ts'
import { hasThumbnail, rowThumbnailOf } from '#ui/state/session/settings.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { ROOT } from '#wire/paths.ts'
import type { TrashActions } from './actions.ts'
import type { TrashRow } from './rows.ts'
import './TrashListRow.css'

interface TrashListRowProps extends TrashActions {
  id: string
  row: TrashRow
  index: number
  isSelected: boolean
  isCursor: boolean
}

/** A deleted entry: its name, the folder it was in, when it was deleted, and how long it is kept. */
export function TrashListRow(props: TrashListRowProps) {
  const { id, row, index, isSelected, isCursor, onRestore, purgeOf } = props
  const { t } = useTranslation()
  const { item, name, folder } = row
  const entry = { name, type: item.type ?? 'blob', isDir: item.isDir }
  const folderName = folder === ROOT ? t('places.home') : shownPath(folder)
  const left = leftOf(item)
  const purge = purgeOf([row])
  return (
    <tr
      id={id}
      className="EntryTable__row TrashListRow"
      aria-selected={isSelected}
      data-index={index}
      data-cursor={isCursor || undefined}
    >
      <th scope="row" className="TrashListRow__name">
        <div className="EntryTable__target">
          <EntryIcon isSelected={isSelected}>
            <Thumb
              src={pictureOf(item, entry)}
              isWhole={rowThumbnailOf(entry) === 'small'}
              fallback={<FileIcon entry={entry} />}
            />
          </EntryIcon>
          <EntryLabel
            isSubAlways
            sub={
              <>
                <a
                  className="wide-only"
                  href={withBase(filesUrl(folder, true))}
                  title={shownPath(item.path)}
                >
                  <bdi>{folderName}</bdi>
                </a>
                {/* The row is the touch target. Its menu leads to the folder. */}
                <span className="narrow-only">
                  <bdi>{folderName}</bdi>
                  {item.size >= 0 && (
                    <>
                      {' · '}
                      <bdi>{formatColumnSize(item.size)}</bdi>
                    </>
                  )}
                  {left && ` · ${left}`}
                </span>
              </>
            }
          >
            <Name>{name}</Name>
          </EntryLabel>
        </div>
      </th>
      <td className="EntryTable__fact" data-column="size">
        {item.size < 0 ? (
          t('listing.noSize')
        ) : (
          <bdi title={formatExactSize(item.size)}>{formatColumnSize(item.size)}</bdi>
        )}
      </td>
      <td
        className="EntryTable__fact"
        data-column="modified"
        title={t('settings.trash.facts', { when: formatFullDate(item.time), name: item.username })}
      >
        {formatDate(item.time)} · <bdi>{item.username}</bdi>
      </td>
      <td
        className="EntryTable__fact"
        data-column="left"
        title={item.expires && formatFullDate(item.expires)}
      >
        {left}
      </td>
      <td className="EntryTable__action">
        {onRestore && (
          <IconButton
            icon="undo-2"
            mirror
            size="s"
            label={t('settings.trash.restoreOf', { path: item.path })}
            onClick={() => onRestore([row])}
          />
        )}
        {purge && (
          <IconButton
            icon="trash-2"
            size="s"
            label={t('settings.trash.purgeOf', { path: item.path })}
            onClick={purge}
          />
        )}
      </td>
    </tr>
  )

  function leftOf({ expires }: TrashItemInfo): string | undefined {
    if (expires === undefined) return undefined
    const seconds = (Date.parse(expires) - Date.now()) / 1000
    return t('share.left', { span: formatSpan(seconds) })
  }
}

/** The server makes previews of deleted content only from its bytes, and not with programs. */
function pictureOf(
  { id }: TrashItemInfo,
  entry: Parameters<typeof hasThumbnail>[0],
): string | undefined {
  const isByProgram = entry.type === 'video' || entry.type === 'audio' || entry.type === 'pdf'
  return hasThumbnail(entry) && !isByProgram
    ? trashPreviewUrl(rowThumbnailOf(entry), id)
    : undefined
}
