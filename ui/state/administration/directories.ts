/** Administration of the directories that users can log in with, and one's own account in them. */
import * as api from '#ui/api/accounts/directories.ts'
import type { DirectoryChange, LoginDirectory } from '#wire/api/directory.ts'
import { confirmed } from '../session/reauth.ts'

export const listDirectories = api.list
export const testDirectory = api.test

/**
 * Adds or changes a directory.
 *
 * @returns the stored directory; undefined if the user cancelled
 * @throws Fault badRequest, conflict
 */
export function saveDirectory(
  change: DirectoryChange,
  isNew: boolean,
): Promise<LoginDirectory | undefined> {
  return confirmed((password) => api.save(change, isNew, password))
}

/** @returns false if the user cancelled */
export async function removeDirectory(id: string): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.remove(id, password)
    return true as const
  })
  return done ?? false
}

/** @returns false if the user cancelled. @throws Fault wrongCredentials, conflict, unavailable */
export async function linkDirectory(
  id: string,
  credentials: { username: string; password: string },
): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.link(id, credentials, password)
    return true as const
  })
  return done ?? false
}
