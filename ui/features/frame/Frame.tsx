import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { layout } from '#ui/state/layout.ts'
import { settings } from '#ui/state/settings.ts'
import { Drawer } from './Drawer.tsx'
import { Sidebar } from './Sidebar.tsx'
import './Frame.css'

interface FrameProps {
  top: ReactNode
  /** The content of the page, which scrolls by itself. */
  children: ReactNode
  side?: ReactNode
  /** Opens from the bottom edge, above the footer. */
  drawer?: ReactNode
  footer?: ReactNode
}

/** The frame of a page: the sidebar, and everything else on one panel. */
export function Frame({ top, children, side, drawer, footer }: FrameProps) {
  const { sidebarFolded, drawerOpen } = useSnapshot(layout)
  return (
    <div className="Frame" data-folded={sidebarFolded || undefined}>
      <Sidebar folded={sidebarFolded} />
      {drawerOpen && <Drawer />}
      <main className="Frame__panel">
        <h1 className="visually-hidden">{settings.Name}</h1>
        {top}
        <div className="Frame__body">
          <div className="Frame__content">{children}</div>
          {side}
        </div>
        {drawer}
        {footer}
      </main>
    </div>
  )
}
