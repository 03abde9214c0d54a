import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { layout } from '#ui/state/layout.ts'
import { settings } from '#ui/state/settings.ts'
import { Drawer } from './Drawer.tsx'
import { Sidebar } from './Sidebar.tsx'
import './Frame.css'

interface FrameProps {
  /** The bar above the content. */
  top: ReactNode
  /** The content of the page, which scrolls by itself. */
  children: ReactNode
  /** A panel beside the content. */
  side?: ReactNode
  /** A panel at the bottom edge, above the footer. */
  bottomPanel?: ReactNode
  /** The bar at the bottom edge. */
  footer?: ReactNode
}

/** The layout of a page: the sidebar, and one panel with everything else. */
export function Frame({ top, children, side, bottomPanel, footer }: FrameProps) {
  const { sidebarFolded, isDrawerOpen } = useSnapshot(layout)
  return (
    <div className="Frame" data-folded={sidebarFolded || undefined}>
      <Sidebar isFolded={sidebarFolded} />
      {isDrawerOpen && <Drawer />}
      <main className="Frame__panel">
        <h1 className="visually-hidden">{settings.Name}</h1>
        {top}
        <div className="Frame__body">
          <div className="Frame__content">{children}</div>
          {side}
        </div>
        {bottomPanel}
        {footer}
      </main>
    </div>
  )
}
