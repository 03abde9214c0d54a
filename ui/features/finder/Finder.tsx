import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { FinderField } from '#ui/components/FinderField.tsx'
import { Menu } from '#ui/components/Menu.tsx'
import { Overlay } from '#ui/components/Overlay.tsx'
import { useAsync } from '#ui/components/use-async.ts'
import { useListCursor } from '#ui/components/use-list-cursor.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/menu-position.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { takeTypedEarly } from '#ui/state/early-keys.ts'
import { finder, setFinderFolder, setFinderText } from '#ui/state/finder.ts'
import { closeOverlay } from '#ui/state/overlay.ts'
import { session } from '#ui/state/session.ts'
import { listUsers } from '#ui/state/users.ts'
import { usesByPath } from '#ui/state/uses.ts'
import type { Entry } from '#wire/entry.ts'
import { FIND_TEXT_MAX, FOUND_PAGE, type FoundText } from '#wire/find.ts'
import type { TreePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { commandsFor } from './commands.ts'
import { FinderChips } from './FinderChips.tsx'
import { FinderFooter } from './FinderFooter.tsx'
import { FailedTexts, FinderList } from './FinderList.tsx'
import { FinderSelection } from './FinderSelection.tsx'
import { type HitAction, hitActions } from './hit-actions.ts'
import { rankByUse } from './rank.ts'
import { groupsOf } from './rows.ts'
import { useHitSelection } from './use-hit-selection.ts'

/** The finder dialog: searches files and folders, actions, settings and users. */
export function Finder({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  // With `sync` the value of the input changes during the key press. If it changed later, React would move the text
  // cursor to the end.
  const { text, status, found, texts } = useSnapshot(finder, { sync: true })
  const [commands] = useState(() => commandsFor(actionContext()))
  const [uses] = useState(usesByPath)
  const [showsAll, setShowsAll] = useState(false)
  /** Identifies the request of `useAsync`; undefined if the user may not see other users. */
  const usersKey = session.user && permits(session.user.perm, 'administer') ? 'users' : undefined
  const users = useAsync(usersKey, listUsers)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  /** Whether Enter was pressed before the results of the current text arrived: the first result is then opened. */
  const [isWaiting, setWaiting] = useState(false)

  const groups = groupsOf({
    text,
    // Only the first ones, so that no row moves when more arrive. The proxy contains a `ref`, which a snapshot does not
    // make read-only.
    hits: [
      ...rankByUse(found.hits.slice(0, FOUND_PAGE) as readonly Entry[], uses),
      ...(found.hits.slice(FOUND_PAGE) as readonly Entry[]),
    ],
    total: found.total,
    texts: texts.hits as readonly FoundText[],
    commands,
    users: users.status === 'loaded' ? users.value : [],
    showsAll,
    onShowAll: () => setShowsAll(true),
  })
  const rows = groups.flatMap((group) => group.rows)
  const cursor = useListCursor(rows.map(({ id }) => id))
  const activeRow = cursor.row
  const activeResult = rows[activeRow]
  const selection = useHitSelection(rows)
  const [menu, setMenu] = useState<{ targets: readonly Entry[]; anchor: Anchor } | null>(null)
  const hits = rows.flatMap((row) => ('hit' in row ? [row.hit] : []))

  useLayoutEffect(() => setFinderFolder(folder), [folder])
  useEffect(() => {
    const typed = takeTypedEarly()
    input.current?.select()
    if (input.current && typed.trim() !== '') {
      const [text = ''] = typed.split('\n')
      // The field has the text at once: a key that is pressed before the next render is added to it.
      input.current.value = text
      setFinderText(text)
      setWaiting(typed.includes('\n'))
    }
  }, [])
  useEffect(() => {
    if (!isWaiting || status === 'running') return
    setWaiting(false)
    activeResult?.run()
  }, [isWaiting, status, activeResult])

  function type(typed: string): void {
    setFinderText(typed)
    setShowsAll(false)
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

  /**
   * Ctrl+Space selects, and so does Shift with an arrow key; Escape clears the selection before it closes the finder.
   *
   * @returns true if the key was one of these
   */
  function select(event: KeyboardEvent<HTMLInputElement>): boolean {
    const { key, ctrlKey, shiftKey } = event
    if (key === ' ' && ctrlKey) selection.toggle(activeRow)
    else if (key === 'Escape' && selection.entries.length > 0) selection.clear()
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const nextRow = activeRow + (key === 'ArrowDown' ? 1 : -1)
      if (!rows[nextRow]) return true
      selection.extend(Math.max(activeRow, 0), nextRow)
      cursor.goTo(nextRow)
    } else return false
    event.preventDefault()
    return true
  }

  /** Opens the menu of a result. It applies to all selected results if this one is selected. */
  function openMenu(index: number, anchor: Anchor): void {
    const row = rows[index]
    if (!row || !('hit' in row)) return
    const targets = selection.ids.has(row.id) ? selection.entries : [row.hit]
    setMenu({ targets, anchor })
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    if (select(event) || cursor.step(event)) {
      setWaiting(false)
      return
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (!cursor.isChosen && status === 'running') setWaiting(true)
    else activeResult?.run()
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
        list={{
          id: listId,
          activeId: activeResult && `${listId}${activeRow}`,
          isOpen: rows.length > 0,
        }}
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
          onClose={() => setMenu(null)}
        />
      )}
    </Overlay>
  )
}
