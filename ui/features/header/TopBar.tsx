import type { ReactNode } from 'react'
import { IconButton } from '#ui/components/IconButton.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/media.ts'
import { layout } from '#ui/state/layout.ts'
import { ActionBar } from './ActionBar.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { MoreButton } from './MoreButton.tsx'
import './TopBar.css'

/** The bar above every page: menu, then where one is, then what one can do. */
export function TopBar({ children }: { children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <header className="TopBar">
      <span className="TopBar__menu folded-only">
        <IconButton
          icon="menu"
          label={t('common.menu')}
          onClick={() => {
            layout.drawerOpen = true
          }}
        />
      </span>
      {children}
    </header>
  )
}

/** The bar above folders and files. */
export function FilesBar() {
  const narrow = useMedia(NARROW)
  return (
    <TopBar>
      <Breadcrumbs />
      {narrow ? <MoreButton surface="more" /> : <ActionBar />}
    </TopBar>
  )
}
