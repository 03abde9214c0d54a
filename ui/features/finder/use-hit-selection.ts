import { useRef, useState } from 'react'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { FinderRow } from './rows.ts'

const NONE: ReadonlySet<string> = new Set()

/** The selected results of the finder. A result that disappears from the rows is no longer selected. */
export function useHitSelection(rows: readonly FinderRow[]) {
  const [ids, setIds] = useState(NONE)
  /** The row at which a range begins. */
  const anchor = useRef<number>(undefined)
  const selected = rows.filter((row) => 'hit' in row && ids.has(row.id))
  // A file may be found by its name and by its text.
  const entries = new Map(
    selected.flatMap((row) => ('hit' in row ? [[row.hit.path, row.hit]] : [])),
  )

  function toggle(index: number): void {
    const row = rows[index]
    if (!row || !('hit' in row)) return
    anchor.current = index
    const next = new Set(selected.map(({ id }) => id))
    if (!next.delete(row.id)) next.add(row.id)
    setIds(next)
  }

  /** Selects the results of all rows from the beginning of the range, or `from` if there is no range yet, to `to`. */
  function extend(from: number, to: number): void {
    anchor.current ??= from
    const [first, last] = [Math.min(anchor.current, to), Math.max(anchor.current, to)]
    setIds(new Set(rows.slice(first, last + 1).map(({ id }) => id)))
  }

  function clear(): void {
    anchor.current = undefined
    setIds(NONE)
  }

  return {
    /** The ids of the selected rows. */
    ids: new Set(selected.map(({ id }) => id)),
    entries: [...entries.values()] as readonly Entry[],
    toggle,
    extend,
    clear,
  }
}

/** The open menu of a result. It applies to all selected results if this one is selected. */
export function useHitMenu(
  rows: readonly FinderRow[],
  { ids, entries }: ReturnType<typeof useHitSelection>,
) {
  const [menu, setMenu] = useState<{ targets: readonly Entry[]; anchor: Anchor } | null>(null)
  return {
    menu,
    openMenu: (index: number, anchor: Anchor) => {
      const row = rows[index]
      if (!row || !('hit' in row)) return
      setMenu({ targets: ids.has(row.id) ? entries : [row.hit], anchor })
    },
    closeMenu: () => setMenu(null),
  }
}
