import type { ComponentProps } from 'react'
import { SheetTabs } from '#ui/features/documents/SheetTabs.tsx'
import { TableGrid } from '#ui/features/table/TableGrid.tsx'

/** A spreadsheet. Its sheets are shown in the same table as CSV files. */
export function SheetsReader(props: Omit<ComponentProps<typeof SheetTabs>, 'Grid'>) {
  return <SheetTabs {...props} Grid={TableGrid} />
}
