import type { ComponentProps, ReactNode } from 'react'
import './SettingsTable.css'

interface Column {
  title: string
  /** Where it has a width of its own, or stands elsewhere in a narrow window. */
  name?: string
  /** Its title is for those who cannot see what is in it. */
  hidden?: boolean
}

interface SettingsTableProps {
  /** The looks that are its own. */
  className: string
  label: string
  columns: readonly Column[]
  /** Rows. */
  children: ReactNode
}

/** A table of a settings page. Narrow windows show no head, and each row as a block. */
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

/** A row of it: the first cell is a `th` that names the row. */
export function SettingsTableRow({ className, ...native }: ComponentProps<'tr'>) {
  return <tr {...native} className={`SettingsTable__row ${className}`} />
}
