/** The links to the thing being shared. */
import { proxy } from 'valtio'
import * as api from '#ui/api/share.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { NewShare, Share } from '#wire/share.ts'

/** A link that was just made, with what opens it. */
export interface NewestShare {
  hash: string
  /** Empty where it has none. */
  password: string
}

/** In the order the server lists them. */
export const shares = proxy<{ links: Share[] }>({ links: [] })

/** @throws Fault forbidden, unavailable */
export async function loadShares(path: TreePath, isDir: boolean): Promise<void> {
  shares.links = await api.linksTo(path, isDir)
}

/** All of one's links; administrators get everybody's. @throws Fault forbidden, unavailable */
export function listShares(): Promise<Share[]> {
  return api.list()
}

/** Makes a link and lists it last. @throws Fault notFound, forbidden, badRequest */
export async function createShare(
  path: TreePath,
  isDir: boolean,
  options: NewShare,
): Promise<Share> {
  const share = await api.create(path, isDir, options)
  shares.links.push(share)
  return share
}

/** Ends a link. One that is over already is no failure. @throws Fault forbidden, unavailable */
export async function removeShare({ hash }: Pick<Share, 'hash'>): Promise<void> {
  await api.remove(hash).catch((error: unknown) => {
    if (!isFault(error, 'notFound', 'expired')) throw error
  })
  shares.links = shares.links.filter((share) => share.hash !== hash)
}
