import type { ComponentProps, ReactNode } from 'react'
import './SettingsTable.css'

interface Column {
  title: string
  /** Set if the column has its own width, or another position in narrow windows. */
  name?: string
  /** Whether the header is only for assistive technology. */
  hidden?: boolean
}

interface SettingsTableProps {
  /** The class with its own styles. */
  className: string
  label: string
  columns: readonly Column[]
  /** The rows. */
  children: ReactNode
}

/** A table of a settings page. Narrow windows show no header, and each row as a block. */
export function SettingsTable({ className, label, columns, children }: SettingsTableProps) {
  return (
    <table className={`SettingsTable ${className}`} aria-label={label}>
      <thead>
        <tr className={`SettingsTable__head ${className}__head`}>
          {columns.map(({ title, name, hidden }) => (
            <th key={title} scope="col" data-column={name}>
              {hidden ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A row of the table: its first cell is a `th` that names the row. */
export function SettingsTableRow({ className, ...native }: ComponentProps<'tr'>) {
  return <tr {...native} className={`SettingsTable__row ${className}`} />
}
