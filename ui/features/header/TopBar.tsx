import { type ReactNode, Suspense, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { useAfterListing } from '#ui/state/folder/after-listing.ts'
import { selection } from '#ui/state/folder/selection.ts'
import { layout } from '#ui/state/view/layout.ts'
import { ActionBar } from './ActionBar.tsx'
import { PathLine } from './Breadcrumbs.tsx'
import { MoreButton } from './MoreButton.tsx'
import { SaveButton } from './SaveButton.tsx'
import { SearchField } from './SearchField.tsx'
import './TopBar.css'

/** Its code is loaded after the listing, so that it is there before the first selection. */
const loadSelectionBar = async () => (await import('./TopSelectionBar.tsx')).TopSelectionBar
const TopSelectionBar = lazyPart(loadSelectionBar)

/** The bar above every page: menu button, breadcrumbs, actions. */
export function TopBar({ children }: { children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <header className="TopBar">
      <span className="TopBar__menu drawer-only">
        <IconButton
          icon="menu"
          label={t('common.menu')}
          onClick={() => {
            layout.isDrawerOpen = true
          }}
        />
      </span>
      {children}
    </header>
  )
}

/**
 * The bar of folders and files. During a selection the selected entries replace the breadcrumbs, except during a
 * drag.
 */
export function FilesBar() {
  const isNarrow = useMedia(NARROW)
  const context = useActionContext()
  const { isDragging } = useSnapshot(selection)
  const hasSelection =
    !isNarrow && !isDragging && context.page === 'folder' && context.targets.length > 0
  const isAfterListing = useAfterListing()
  useEffect(() => {
    // A failed load is repeated with the first selection.
    if (isAfterListing) loadSelectionBar().catch(() => undefined)
  }, [isAfterListing])
  return (
    <TopBar>
      {hasSelection ? (
        <Suspense fallback={<PathLine />}>
          <TopSelectionBar context={context} />
          <SearchField isIconOnly />
        </Suspense>
      ) : (
        <PathLine />
      )}
      {isNarrow ? <NarrowActions /> : <ActionBar isBesideSelection={hasSelection} />}
    </TopBar>
  )
}

function NarrowActions() {
  const { t } = useTranslation()
  const context = useActionContext()
  const close = actionOf('closeFile')
  return (
    <>
      <SaveButton context={context} isIconOnly />
      <MoreButton surface="more" />
      {close.when(context) && (
        <span className="TopBar__close">
          <IconButton icon={close.icon} label={t(close.label)} onClick={() => perform(close)} />
        </span>
      )}
    </>
  )
}
