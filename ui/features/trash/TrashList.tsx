// biome-ignore-all lint/a11y/noNoninteractiveTabindex: the grid has the focus and `aria-activedescendant`
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: rows of a table are selected as in a grid
import { useId, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { EntryTable } from '#ui/components/file/EntryTable.tsx'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { indexOf, selection } from '#ui/state/folder/selection.ts'
import type { Sorting } from '#wire/api/entry.ts'
import type { TrashActions } from './actions.ts'
import type { TrashRow } from './rows.ts'
import { TrashListRow } from './TrashListRow.tsx'
import { trashMenu } from './trash-menu.ts'
import { useTrashGestures } from './use-trash-gestures.ts'
import './TrashList.css'

interface TrashListProps extends TrashActions {
  rows: readonly TrashRow[]
  sorting: Sorting
  onSort(sorting: Sorting): void
}

/** The deleted entries as a list: sorted, selected and opened as in a folder. */
export function TrashList({ rows, sorting, onSort, ...actions }: TrashListProps) {
  const { t } = useTranslation()
  const idPrefix = useId()
  const grid = useRef<HTMLTableElement>(null)
  const { paths, cursor } = useSnapshot(selection)
  const [shownMax, setShownMax] = useState<number>(ON_DEMAND_LIMITS.trashPageItems)
  const [menu, setMenu] = useState<Anchor>()
  const shown = rows.slice(0, shownMax)
  const gestures = useTrashGestures({ rows: shown, all: rows, grid, actions, openMenu: setMenu })
  const cursorIndex = indexOf(shown, cursor)
  const selected = rows.filter(({ path }) => paths.has(path))

  return (
    <>
      <EntryTable
        ref={grid}
        className="TrashList"
        role="grid"
        tabIndex={0}
        label={t('settings.trash.title')}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={cursorIndex < 0 ? undefined : `${idPrefix}${cursorIndex}`}
        {...gestures}
        sorting={sorting}
        onSort={onSort}
        titles={{ modified: t('settings.trash.when') }}
        extraColumns={
          <th scope="col" className="EntryTable__column" data-column="left">
            {t('settings.trash.left')}
          </th>
        }
      >
        {shown.map((row, index) => (
          <TrashListRow
            key={row.path}
            id={`${idPrefix}${index}`}
            row={row}
            index={index}
            isSelected={paths.has(row.path)}
            isCursor={row.path === cursor}
            {...actions}
          />
        ))}
      </EntryTable>
      {rows.length > shownMax && (
        <div className="TrashList__more">
          <Button onClick={() => setShownMax(shownMax + ON_DEMAND_LIMITS.trashPageItems)}>
            {t('activity.more')}
          </Button>
        </div>
      )}
      {menu && (
        <Menu
          label={t('common.more')}
          heading={selected.length === 1 ? selected[0]?.name : undefined}
          items={trashMenu(selected, actions)}
          anchor={menu}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}
