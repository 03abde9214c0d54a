import { useSnapshot } from 'valtio'
import { formatNumber, formatParts, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sizeOf } from '#ui/lib/entries/size-of.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { freedByEmptying, useUsage } from '#ui/state/folder/usage.ts'
import { isListing, type Listing } from '#wire/api/entry.ts'
import './StatusBar.css'

/** The status line below a folder: selection, content, and free space. */
export function StatusBar() {
  const { t } = useTranslation()
  const { entry, isComplete } = useSnapshot(listing)
  const usage = useUsage()
  const { targets, isSelectionMode } = useActionContext()
  const bytes = sizeOf(targets)
  const trashBytes = usage ? freedByEmptying(usage) : 0
  return (
    <div className="StatusBar" role="status">
      <span>
        {(targets.length > 0 || isSelectionMode) && (
          <>
            <strong>
              {t('listing.selected', {
                count: targets.length,
                value: formatNumber(targets.length),
              })}
            </strong>
            {bytes > 0 && `, ${formatSize(bytes)}`}
            {' · '}
          </>
        )}
        {isComplete && entry && isListing(entry as Listing) && <Counts folder={entry as Listing} />}
      </span>
      {usage && usage.total > 0 && (
        <span>
          {t('listing.free', { size: formatSize(usage.free) })}
          {trashBytes > 0 && ` · ${t('sidebar.inTrash', { size: formatSize(trashBytes) })}`}
        </span>
      )}
    </div>
  )
}

function Counts({ folder: { numDirs, numFiles } }: { folder: Listing }) {
  const { t } = useTranslation()
  const counts = [
    numDirs > 0 && t('listing.folders', { count: numDirs, value: formatNumber(numDirs) }),
    numFiles > 0 && t('listing.files', { count: numFiles, value: formatNumber(numFiles) }),
  ].filter((text) => text !== false)
  return counts.length > 0 ? formatParts(counts) : t('listing.empty')
}
