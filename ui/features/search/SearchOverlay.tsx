import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { FinderField } from '#ui/components/FinderField.tsx'
import { Overlay } from '#ui/components/Overlay.tsx'
import { useListCursor } from '#ui/components/use-list-cursor.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { filesUrl, goTo } from '#ui/lib/location.ts'
import { TOUCH } from '#ui/lib/media.ts'
import { closeOverlay } from '#ui/state/overlay.ts'
import { baseOf, runSearch, search, searchFrom } from '#ui/state/search.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import type { SearchHit } from '#wire/search.ts'
import { SearchFooter } from './SearchFooter.tsx'
import { SearchResults } from './SearchResults.tsx'
import { SearchTypes } from './SearchTypes.tsx'

/** Looks for names below `folder`, or everywhere. Enter runs it; then Enter opens what is chosen. */
export function SearchOverlay({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const { query, status, count, everywhere } = useSnapshot(search)
  const [text, setText] = useState(search.folder === folder ? search.query : '')
  const [shown, setShown] = useState<number>(UI_LIMITS.searchPageItems)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const rows = Math.min(shown, count)
  const { at, goTo: walkTo, step } = useListCursor(rows)
  const hits = search.hits.slice(0, rows)
  const chosen = hits[at]

  useLayoutEffect(() => searchFrom(folder), [folder])
  useEffect(() => input.current?.select(), [])

  function run(wanted: string): void {
    setShown(UI_LIMITS.searchPageItems)
    walkTo(0)
    void runSearch(wanted)
    // The keyboard of a phone would lie over what is found.
    if (matchMedia(TOUCH).matches) input.current?.blur()
    else input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing || step(event) || event.key !== 'Enter') return
    event.preventDefault()
    if (chosen) open(chosen)
    else run(text)
  }

  return (
    <Overlay label={t('search.label')} onClose={closeOverlay}>
      <FinderField
        icon="search"
        label={t('search.field')}
        value={text}
        input={input}
        enterKeyHint="search"
        maxLength={LIMITS.textFieldMax}
        list={{
          id: listId,
          activeId: chosen && `${listId}${at}`,
          isOpen: rows > 0,
        }}
        onChange={(event) => {
          setText(event.target.value)
          walkTo(-1)
        }}
        onKeyDown={onKeyDown}
        closeLabel={t('common.close')}
        onClose={closeOverlay}
      />
      <SearchTypes
        query={text}
        onChange={(wanted) => {
          setText(wanted)
          run(wanted)
        }}
      />
      <SearchResults
        key={`${query} ${everywhere}`}
        id={listId}
        hits={hits}
        at={at}
        onMore={() => setShown((before) => Math.min(before, count) + UI_LIMITS.searchPageItems)}
      />
      <SearchFooter status={status} shown={rows} count={count} />
    </Overlay>
  )
}

function open({ path, dir }: SearchHit): void {
  closeOverlay()
  goTo(filesUrl(joinPath(baseOf(search), path), dir))
}
