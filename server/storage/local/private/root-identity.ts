/**
 * The identity of a served folder: a random text in its private folder. It tells the folder from the empty one below a
 * mount point, and finds it again at another path.
 */

import { randomBytes } from 'node:crypto'
import { constants, readFileSync, rmSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull, randomName, writeRecord } from '../attributes/own-folder.ts'
import { renameToFree } from '../handles/atomic.ts'
import type { Handle, OpenFolderAt } from '../handles/handle.ts'

/** In the private folder. */
const IDENTITY = 'identity'
const PATTERN = /^[0-9a-f]{32}$/
const BYTES = 16
const FOLDER = constants.O_RDONLY | O_DIRECTORY
/** Errors of opening a file that is not there, or is something else. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR']

/** What a folder shows without being opened by the storage. */
export interface SeenRoot {
  /** Undefined if it has none. */
  identity: string | undefined
  hasPrivateFolder: boolean
  /** Something else has the name of the private folder. The storage refuses such a folder with the reason. */
  isBlocked: boolean
}

/**
 * Looks at a folder without changing it.
 *
 * @param open opens the folder
 * @throws system errors, also of a disk that fails
 */
export function seeRoot(path: string, open: OpenFolderAt): SeenRoot {
  try {
    using root = open(path)
    using folder = root.child(PRIVATE_FOLDER, FOLDER)
    return { identity: readIdentity(folder), hasPrivateFolder: true, isBlocked: false }
  } catch (error) {
    const errno = errnoOf(error) ?? ''
    if (!ABSENT.includes(errno)) throw error
    return { identity: undefined, hasPrivateFolder: false, isBlocked: errno !== 'ENOENT' }
  }
}

/**
 * @param folder the private folder of a served folder
 * @param isCopy whether the served folder is a copy of another one, whose identity it must not have
 * @returns its identity, which is created if it is missing; undefined on a full disk
 * @throws system errors
 */
export function ensureIdentity(folder: Handle, isCopy: boolean): string | undefined {
  const present = isCopy ? undefined : readIdentity(folder)
  if (present) return present
  try {
    if (isCopy) rmSync(folder.at(IDENTITY), { force: true })
    const identity = createIdentity(folder)
    if (identity) return identity
    // It is damaged.
    rmSync(folder.at(IDENTITY), { force: true })
    return createIdentity(folder)
  } catch (error) {
    if (!isFull(error)) throw error
    return undefined
  }
}

/** @returns the identity of another process if that was first; undefined if it is none */
function createIdentity(folder: Handle): string | undefined {
  const identity = randomBytes(BYTES).toString('hex')
  const written = { parent: folder, name: `${IDENTITY}-${randomName()}` }
  try {
    writeRecord(folder, written.name, identity)
    renameToFree(written, { parent: folder, name: IDENTITY })
    return identity
  } catch (error) {
    rmSync(folder.at(written.name), { force: true })
    if (errnoOf(error) !== 'EEXIST') throw error
    return readIdentity(folder)
  }
}

function readIdentity(folder: Handle): string | undefined {
  try {
    using file = folder.child(IDENTITY, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!file.stat().isFile() || file.stat().size !== 2 * BYTES) return undefined
    const text = readFileSync(file.fd, 'utf8')
    return PATTERN.test(text) ? text : undefined
  } catch (error) {
    if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
    return undefined
  }
}
