/** How full the storage is. */
import { proxy } from 'valtio'
import { usage as fetchUsage } from '#ui/api/usage.ts'
import type { Usage } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'

/** Null until known; a failure leaves what was known. */
export const usage = proxy<{ known: Usage | null }>({ known: null })

let loading: AbortController | undefined

/** Asks again. Silent on failure: the bar is a courtesy, and the listing reports the same trouble. */
export async function loadUsage(folder: TreePath): Promise<void> {
  loading?.abort()
  loading = new AbortController()
  usage.known = await fetchUsage(folder, loading.signal).catch(() => usage.known)
}
