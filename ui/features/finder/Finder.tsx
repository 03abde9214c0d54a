import { useId, useLayoutEffect, useRef } from 'react'
import { FinderField } from '#ui/components/fields/FinderField.tsx'
import { useListCursor } from '#ui/components/hooks/use-list-cursor.ts'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { Overlay } from '#ui/components/overlays/Overlay.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { closeOverlay } from '#ui/state/dialogs/overlay.ts'
import { setFinderFolder, setFinderText } from '#ui/state/finder/finder.ts'
import { FIND_TEXT_MAX } from '#wire/api/find.ts'
import type { TreePath } from '#wire/paths.ts'
import { FinderChips } from './FinderChips.tsx'
import { FinderFooter } from './FinderFooter.tsx'
import { FailedTexts, FinderList } from './FinderList.tsx'
import { FinderSelection } from './FinderSelection.tsx'
import { type HitAction, hitActions } from './hit-actions.ts'
import { useEarlyText, useFinderKeys, useShownRow } from './use-finder-keys.ts'
import { useFinderRows } from './use-finder-rows.ts'
import { useHitMenu, useHitSelection } from './use-hit-selection.ts'

/** The finder dialog: searches files and folders, actions, settings and users. */
export function Finder({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const { text, isSearching, groups, rows, hits, showFirst } = useFinderRows()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const cursor = useListCursor(rows.map(({ id }) => id))
  const activeRow = cursor.row
  const activeId = rows[activeRow] && `${listId}${activeRow}`
  const selection = useHitSelection(rows)
  const { onKeyDown, setWaiting } = useFinderKeys({ rows, isSearching, cursor, selection })
  const { menu, openMenu, closeMenu } = useHitMenu(rows, selection)

  useLayoutEffect(() => setFinderFolder(folder), [folder])
  useEarlyText(input, setWaiting)
  useShownRow(rows, cursor.goTo)

  function type(typed: string): void {
    setFinderText(typed)
    showFirst()
    setWaiting(false)
    selection.clear()
    cursor.reset()
  }

  /** Runs an action; the finder stays open for the next one. */
  async function run(action: HitAction): Promise<void> {
    await action.run()
    if (action.id === 'delete' || action.id === 'moveTo') selection.clear()
    input.current?.focus()
  }

  return (
    <Overlay label={t('finder.label')} onClose={closeOverlay}>
      <FinderField
        icon="search"
        label={t('finder.field')}
        value={text}
        input={input}
        enterKeyHint="go"
        maxLength={FIND_TEXT_MAX}
        list={{ id: listId, activeId, isOpen: rows.length > 0 }}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        closeLabel={t('common.close')}
        onClose={closeOverlay}
      />
      <FinderChips
        text={text}
        onChange={(typed) => {
          type(typed)
          input.current?.focus()
        }}
      />
      <FinderList
        id={listId}
        groups={groups}
        activeRow={activeRow}
        selected={selection.ids}
        onSelect={selection.toggle}
        onMenu={openMenu}
      />
      <FailedTexts />
      {selection.entries.length > 0 && (
        <FinderSelection
          count={selection.entries.length}
          actions={hitActions(selection.entries, hits)}
          onRun={(action) => void run(action)}
          onClear={() => {
            selection.clear()
            input.current?.focus()
          }}
        />
      )}
      <FinderFooter />
      {menu && (
        <Menu
          label={t('common.more')}
          anchor={menu.anchor}
          items={hitActions(menu.targets, hits).map((action) => ({
            ...action,
            onSelect: () => void run(action),
          }))}
          onClose={closeMenu}
        />
      )}
    </Overlay>
  )
}
