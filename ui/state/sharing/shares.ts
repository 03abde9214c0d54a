/** The shares of one entry. */
import { proxy } from 'valtio'
import * as api from '#ui/api/files/share.ts'
import type { NewShare, Share } from '#wire/api/share.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

/** A share that was just created, with its password. */
export interface NewestShare {
  hash: string
  /** Empty if the share has no password. */
  password: string
}

/** In the order of the server's response. */
export const shares = proxy<{ items: Share[] }>({ items: [] })

/** @throws Fault forbidden, unavailable */
export async function loadShares(path: TreePath, isDir: boolean): Promise<void> {
  shares.items = await api.sharesOf(path, isDir)
}

/**
 * @returns one's own shares; for administrators those of all users
 * @throws Fault forbidden, unavailable
 */
export function listShares(): Promise<Share[]> {
  return api.list()
}

/**
 * Creates a share and appends it to the list.
 *
 * @throws Fault notFound, forbidden, badRequest
 */
export async function createShare(
  path: TreePath,
  isDir: boolean,
  options: NewShare,
): Promise<Share> {
  const share = await api.create(path, isDir, options)
  shares.items.push(share)
  return share
}

/**
 * Makes a share that has lost its file or folder one of what has the name now.
 *
 * @throws Fault notFound, forbidden
 */
export async function adoptTarget({ hash }: Pick<Share, 'hash'>): Promise<void> {
  await api.adopt(hash)
  const share = shares.items.find((one) => one.hash === hash)
  if (share) delete share.lost
}

/**
 * Deletes a share. A share that no longer exists is no error.
 *
 * @throws Fault forbidden, unavailable
 */
export async function removeShare({ hash }: Pick<Share, 'hash'>): Promise<void> {
  await api.remove(hash).catch((error: unknown) => {
    if (!isFault(error, 'notFound', 'expired')) throw error
  })
  shares.items = shares.items.filter((share) => share.hash !== hash)
}
