import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Menu, type MenuItem } from '#ui/components/overlays/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { selection } from '#ui/state/folder/selection.ts'
import { changeView, hasOwnView, setOwnView } from '#ui/state/view/folder-views.ts'
import { layout } from '#ui/state/view/layout.ts'
import { useFolderView } from '../layout/use-folder-view.ts'

/** The view options of a folder: columns, row height, and whether the folder has its own view. */
export function ViewOptions() {
  const { t } = useTranslation()
  const isNarrow = useMedia(NARROW)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { typeColumn, sharedColumn, folderSizes } = useSnapshot(layout)
  const { path } = useSnapshot(listing)
  const { may } = useActionContext()
  const { viewMode, density, isOwn } = useFolderView()
  const isList = viewMode === 'list'
  const item = (id: string, label: string, checked: boolean, onSelect: () => void): MenuItem => ({
    id,
    label,
    checked,
    ...(checked && { icon: 'check' }),
    onSelect: () => {
      // The rows move, so the row of the cursor is scrolled into view again.
      selection.revealRequests += 1
      onSelect()
    },
  })
  const columns = [
    item('type', t('listing.type'), typeColumn, () => {
      layout.typeColumn = !typeColumn
    }),
    ...(may('share')
      ? [
          item('shared', t('listing.shared'), sharedColumn, () => {
            layout.sharedColumn = !sharedColumn
          }),
        ]
      : []),
  ]
  const isCompact = density === 'compact'
  const items = [
    ...(isList && !isNarrow ? columns : []),
    ...(isList
      ? [
          item('folderSizes', t('listing.folderSizes'), folderSizes, () => {
            layout.folderSizes = !folderSizes
          }),
          item('compact', t('listing.compact'), isCompact, () => {
            void changeView(path, { density: isCompact ? 'comfortable' : 'compact' })
          }),
        ]
      : []),
    item('own', t('listing.ownView'), isOwn, () => setOwnView(path, !hasOwnView(path))),
  ].map((option) => ({ ...option, startsGroup: option.id === 'own' && isList }))
  return (
    <>
      <IconButton
        icon="sliders-horizontal"
        size="s"
        label={t('listing.viewOptions')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      />
      {anchor && (
        <Menu
          label={t('listing.viewOptions')}
          heading={t('listing.viewOptions')}
          items={items}
          anchor={anchor}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  )
}
