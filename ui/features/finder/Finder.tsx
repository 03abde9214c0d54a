import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { FinderField } from '#ui/components/FinderField.tsx'
import { Overlay } from '#ui/components/Overlay.tsx'
import { useAsync } from '#ui/components/use-async.ts'
import { useListCursor } from '#ui/components/use-list-cursor.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { finder, setFinderFolder, setFinderText } from '#ui/state/finder.ts'
import { closeOverlay } from '#ui/state/overlay.ts'
import { session } from '#ui/state/session.ts'
import { listUsers } from '#ui/state/users.ts'
import type { Entry } from '#wire/entry.ts'
import { FIND_TEXT_MAX, type FoundText } from '#wire/find.ts'
import type { TreePath } from '#wire/paths.ts'
import { commandsFor } from './commands.ts'
import { FinderChips } from './FinderChips.tsx'
import { FinderFooter } from './FinderFooter.tsx'
import { FinderList } from './FinderList.tsx'
import { groupsOf } from './rows.ts'

/** The finder dialog: searches files and folders, actions, settings and users. */
export function Finder({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  // A controlled input must be updated synchronously.
  const { text, status, found, texts } = useSnapshot(finder, { sync: true })
  const [commands] = useState(() => commandsFor(actionContext()))
  const [showsAll, setShowsAll] = useState(false)
  const usersKey = session.user?.perm.admin ? 'people' : undefined
  const users = useAsync(usersKey, listUsers)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  /** Set if Enter was pressed before the results of the present text arrived. */
  const [isWaiting, setWaiting] = useState(false)

  const groups = groupsOf({
    text,
    // The proxy contains a `ref`, which a snapshot does not make read-only.
    hits: found.hits as readonly Entry[],
    texts: texts.hits as readonly FoundText[],
    commands,
    users: users.status === 'here' ? users.value : [],
    showsAll,
    onShowAll: () => setShowsAll(true),
  })
  const rows = groups.flatMap((group) => group.rows)
  const { at, goTo, step } = useListCursor(rows.length, 0)
  const chosen = rows[at]

  useLayoutEffect(() => setFinderFolder(folder), [folder])
  useEffect(() => input.current?.select(), [])
  useEffect(() => {
    if (!isWaiting || status === 'running') return
    setWaiting(false)
    chosen?.run()
  }, [isWaiting, status, chosen])

  function type(typed: string): void {
    setFinderText(typed)
    setShowsAll(false)
    setWaiting(false)
    goTo(0)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing || step(event) || event.key !== 'Enter') return
    event.preventDefault()
    if (at <= 0 && status === 'running') setWaiting(true)
    else chosen?.run()
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
        list={{ id: listId, activeId: chosen && `${listId}${at}`, isOpen: rows.length > 0 }}
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
      <FinderList id={listId} groups={groups} at={at} />
      <FinderFooter />
    </Overlay>
  )
}
