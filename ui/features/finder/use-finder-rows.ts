/** The rows of the finder for the typed text: files and folders, texts, actions, settings and users. */
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { listUsers } from '#ui/state/administration/users.ts'
import { finder } from '#ui/state/finder/finder.ts'
import { usesByPath } from '#ui/state/finder/uses.ts'
import { recentFiles } from '#ui/state/folder/favourites.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { FoundText } from '#wire/api/find.ts'
import { permits } from '#wire/permissions.ts'
import { commandsFor } from './commands.ts'
import { rankByUse } from './rank.ts'
import { groupsOf } from './rows.ts'

export function useFinderRows() {
  // With `sync` the value of the input changes during the key press. If it changed later, React would move the text
  // cursor to the end.
  const { text, status, found, firstCount, texts } = useSnapshot(finder, { sync: true })
  const [commands] = useState(() => commandsFor(actionContext()))
  const [uses] = useState(usesByPath)
  const [showsAll, setShowsAll] = useState(false)
  /** Identifies the request of `useAsync`; undefined if the user may not see other users. */
  const usersKey = session.user && permits(session.user.perm, 'administer') ? 'users' : undefined
  const users = useAsync(usersKey, listUsers)
  const recent = useAsync('recent', recentFiles)
  const groups = groupsOf({
    text,
    recent:
      recent.status === 'loaded' ? recent.value.slice(0, ON_DEMAND_LIMITS.finderRecentMax) : [],
    // Only those that came first, so that no row moves when more arrive. The proxy contains a `ref`, which a snapshot does not
    // make read-only.
    hits: [
      ...rankByUse(found.hits.slice(0, firstCount) as readonly Entry[], uses),
      ...(found.hits.slice(firstCount) as readonly Entry[]),
    ],
    total: found.total,
    texts: texts.hits as readonly FoundText[],
    commands,
    users: users.status === 'loaded' ? users.value : [],
    showsAll,
    onShowAll: () => setShowsAll(true),
  })
  const rows = groups.flatMap((group) => group.rows)
  return {
    text,
    isSearching: status === 'running',
    groups,
    rows,
    hits: rows.flatMap((row) => ('hit' in row ? [row.hit] : [])),
    /** Shows the first rows of each group again. */
    showFirst: () => setShowsAll(false),
  }
}
