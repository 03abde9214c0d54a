/**
 * Two servers, or two handles of one, make the same names in one folder at the same moment. On a file system that keeps its
 * promises, each name is made once.
 */
import { constants } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { NamesMade } from '#server/storage/probe.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'

/** So many names are made: a file system that fails makes most of them twice. */
const NAMES = 40
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL

/**
 * Makes each name if it is still free, by a new file and by a rename.
 *
 * @param folder a folder for this alone
 * @param side differs from that of the other one
 * @throws system errors
 */
export async function makeNames(folder: Handle, side: string): Promise<NamesMade> {
  const made: NamesMade = { created: [], renamed: [] }
  for (let number = 0; number < NAMES; number += 1) {
    const own = `${side}-${number}`
    await createFile(folder, own)
    if (await isMade(() => createFile(folder, `created-${number}`))) made.created.push(number)
    if (await isMade(() => folder.renameToFree(own, folder, `renamed-${number}`)))
      made.renamed.push(number)
  }
  return made
}

async function createFile(folder: Handle, name: string): Promise<void> {
  const file = await fileCalls.open(folder.at(name), NEW_FILE, 0o600)
  await file.close()
}

/** @returns false if the name is taken */
async function isMade(make: () => void | Promise<void>): Promise<boolean> {
  try {
    await make()
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return false
  }
}
