/** Which entries have shares of the user. Loaded only while the list shows the column for it. */
import { proxy, ref, subscribe } from 'valtio'
import * as api from '#ui/api/files/share.ts'
import { parsePath } from '#wire/paths.ts'
import { session } from '../session/session.ts'
import { shares } from '../sharing/shares.ts'

/** The number of the user's own shares of each path. A `ref`, replaced as a whole. */
export const sharedPaths = proxy<{ counts: ReadonlyMap<string, number> }>({
  counts: ref(new Map()),
})

/** Loads the shares, and again after each change, until the returned function is called. */
export function followSharedPaths(): () => void {
  void load()
  return subscribe(shares, () => void load())
}

/** After a failure the current values stay. */
async function load(): Promise<void> {
  const all = await api.list().catch(() => undefined)
  if (!all) return
  const counts = new Map<string, number>()
  for (const { path, userID } of all) {
    // Administrators receive the shares of all users, whose paths belong to other scopes.
    if (userID !== session.user?.id) continue
    const key = parsePath(path)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  sharedPaths.counts = ref(counts)
}
