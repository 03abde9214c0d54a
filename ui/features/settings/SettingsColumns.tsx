import type { ReactNode } from 'react'
import './SettingsColumns.css'

interface SettingsColumnsProps {
  menu: ReactNode
  title: ReactNode
  /** A button beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** The menu, and one screen beside it; in narrow windows the menu is above. */
export function SettingsColumns({ menu, title, action, children }: SettingsColumnsProps) {
  return (
    <div className="SettingsColumns">
      {menu}
      <div className="SettingsColumns__main">
        <header className="SettingsColumns__head">
          <h2 className="SettingsColumns__title">{title}</h2>
          {action}
        </header>
        {children}
      </div>
    </div>
  )
}
