/** Asks for folders that settings name, with the picker. */
import * as usersApi from '#ui/api/accounts/users.ts'
import * as resources from '#ui/api/files/resources.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, joinPath, parsePath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { ask } from '../dialogs/prompts.ts'
import { toastError } from '../messages/toasts.ts'
import { session } from '../session/session.ts'

/**
 * Asks for a folder of the user.
 *
 * @param path where the picker begins; at the root if there is no such folder
 * @returns undefined if the user cancelled
 */
export async function chooseFolder(path: string): Promise<TreePath | undefined> {
  return await ask({ name: 'chooseFolder', start: await existing(path) })
}

/**
 * The same for paths of the served tree, such as the folder of an account. An administrator can choose only what is below
 * their own folder.
 */
export async function chooseServedFolder(path: string): Promise<string | undefined> {
  try {
    const own = parsePath(session.user ? (await usersApi.read(session.user.id)).scope : ROOT)
    const inTree = parsePath(path)
    const folder = await chooseFolder(isInside(inTree, own) ? relativePath(inTree, own) : ROOT)
    return folder && joinPath(own, folder)
  } catch (error) {
    toastError(error)
    return undefined
  }
}

async function existing(path: string): Promise<TreePath> {
  try {
    const folder = parsePath(path)
    return (await resources.stat(folder)).isDir ? folder : ROOT
  } catch (error) {
    if (isFault(error)) return ROOT
    throw error
  }
}
