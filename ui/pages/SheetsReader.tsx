import type { ComponentProps } from 'react'
import { SheetTabs } from '#ui/features/documents/SheetTabs.tsx'
import { TableGrid } from '#ui/features/table/TableGrid.tsx'

/** A spreadsheet, with the table of CSV files. */
export function SheetsReader(props: Omit<ComponentProps<typeof SheetTabs>, 'Grid'>) {
  return <SheetTabs {...props} Grid={TableGrid} />
}
