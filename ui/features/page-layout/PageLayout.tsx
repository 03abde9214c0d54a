import { type ReactNode, useLayoutEffect } from 'react'
import { useSnapshot } from 'valtio'
import { settings } from '#ui/state/session/settings.ts'
import { layout } from '#ui/state/view/layout.ts'
import { Drawer } from './Drawer.tsx'
import { FactorBanner } from './FactorBanner.tsx'
import { Sidebar } from './Sidebar.tsx'
import './PageLayout.css'

interface PageLayoutProps {
  /** The bar above the content. */
  top: ReactNode
  /** The content of the page, which scrolls by itself. */
  children: ReactNode
  /** What has a place of its own at the edge of the content, and covers nothing. */
  notice?: ReactNode
  /** A panel beside the content. */
  side?: ReactNode
  /** A panel at the bottom edge, above the footer. */
  bottomPanel?: ReactNode
  /** The bar at the bottom edge. */
  footer?: ReactNode
}

/** The layout of a page: the sidebar, and one panel with everything else. */
export function PageLayout({ top, children, notice, side, bottomPanel, footer }: PageLayoutProps) {
  const { sidebarFolded, sidebarWidth, isDrawerOpen } = useSnapshot(layout)
  useLayoutEffect(() => {
    const width = sidebarWidth === null ? '' : `min(${sidebarWidth}px, 40vw)`
    // For the elements over the page too.
    document.documentElement.style.setProperty('--sidebar-width', width)
  }, [sidebarWidth])
  return (
    <div className="PageLayout" data-folded={sidebarFolded || undefined}>
      <Sidebar isFolded={sidebarFolded} />
      {isDrawerOpen && <Drawer />}
      <main className="PageLayout__panel">
        <h1 className="visually-hidden">{settings.Name}</h1>
        {top}
        <div className="PageLayout__body">
          <FactorBanner />
          <div className="PageLayout__content">{children}</div>
          {notice}
          {side}
        </div>
        {bottomPanel}
        {footer}
      </main>
    </div>
  )
}
