import { formatDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import type { Entry } from '#wire/api/entry.ts'
import { printedTable } from './printed.ts'
import { usePrintSheet } from './use-print-sheet.ts'

interface PrintedListProps {
  title: string
  /** All entries, in the order of the list. */
  items: readonly Entry[]
}

/** What is printed of a folder: all entries, with size and time; and its README, if it is shown. */
export function PrintedList({ title, items }: PrintedListProps) {
  const { t } = useTranslation()
  usePrintSheet(() => {
    const rows = items.map(
      ({ name, isDir, size, totalSize = isDir ? undefined : size, modified }) => [
        shownName(name).text + (isDir ? '/' : ''),
        totalSize === undefined ? '' : formatSize(totalSize),
        formatDate(modified),
      ],
    )
    const head = [t('listing.name'), t('listing.size'), t('listing.modified')]
    const sheet = printedTable({ title, head, rows, isNumeric: [false, true, false] })
    const readme = document.querySelector('.Readme .Markdown__page')
    if (readme) sheet.append(readme.cloneNode(true))
    return sheet
  })
  return null
}
