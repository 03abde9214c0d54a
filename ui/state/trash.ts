/** Lists, restores and deletes items of the trash. */
import * as api from '#ui/api/trash.ts'
import { storedFault } from '#ui/i18n/faults.ts'
import type { KeptItem } from '#wire/journal.ts'

/**
 * @returns deleted items, newest first
 * @throws Fault unavailable
 */
export function listTrash(): Promise<KeptItem[]> {
  return api.list()
}

/**
 * Restores one item.
 *
 * @returns its path
 * @throws Fault with the reason why it stays in the trash
 */
export async function restoreItem({ id }: Pick<KeptItem, 'id'>): Promise<string> {
  const [restored] = await api.restore([id])
  if (restored?.path) return restored.path
  throw storedFault(restored?.fault ?? '', restored?.problem ?? '')
}

/** @throws Fault notFound, forbidden */
export function purgeItem({ id }: Pick<KeptItem, 'id'>): Promise<void> {
  return api.purge(id)
}

export function emptyTrash(): Promise<void> {
  return api.empty()
}
