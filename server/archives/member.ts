/** The members of an archive. */

import { Fault } from '#wire/fault.ts'
import { canonicalName, nameOfBytes } from '#wire/names.ts'
import { childPath, joinPath, parsePath, ROOT, type TreePath } from '#wire/paths.ts'

export type Bytes = AsyncIterable<Uint8Array>

export interface Member {
  /** As in the archive; bytes that are not UTF-8 are escaped as in `wire/names.ts`. */
  name: string
  kind: 'file' | 'folder' | 'other'
  sizeBytes: number
  /** Undefined if the archive does not store it. */
  modifiedMs: number | undefined
  /** Whether the owner may execute the file; other mode bits are ignored. */
  isExecutable: boolean
  /** For a further name of an earlier file in the archive: the name of that one. Its content is not read from here. */
  linkTo?: string
  /** Most of it may be zeros, which are not in the archive. */
  isSparse?: boolean
  /** The reason why the member cannot be extracted; empty if it can. */
  problem: string
  /**
   * The content, which must be read before the next member. The read fails if they do not match the archive's records.
   */
  read(): Bytes
}

/** The members in order. Ending the generator closes the archive. */
export type Members = AsyncGenerator<Member, void>

/** PATH_MAX of Linux. */
const MEMBER_NAME_MAX_BYTES = 4096
/** A longer name is cut to this length in messages. */
const NAME_SHOWN_BYTES = 200

const ENCRYPTED = 'The archive is encrypted. Extract it with the program that made it.'

/** @returns the name of a member, cut if it is too long, and the problem with it; empty if there is none */
export function memberName(bytes: Uint8Array): { name: string; problem: string } {
  if (bytes.length <= MEMBER_NAME_MAX_BYTES) return { name: nameOfBytes(bytes), problem: '' }
  const shown = nameOfBytes(bytes.subarray(0, NAME_SHOWN_BYTES))
  return { name: `${shown}…`, problem: 'Its name is too long.' }
}

/** @returns the fault of an archive that cannot be extracted as a whole */
export function damagedArchive(cause?: unknown): Fault {
  return new Fault('unprocessable', 'The archive is damaged.', { reason: 'archiveDamaged', cause })
}

export function encryptedArchive(): Fault {
  return new Fault('unprocessable', ENCRYPTED, { reason: 'archiveEncrypted' })
}

export function archiveTooLarge(limit: string): Fault {
  return new Fault('tooLarge', `The archive is refused: ${limit}.`, { reason: 'archiveTooLarge' })
}

/**
 * @returns the path of a member below `folder`; `folder` itself for a name without segments, such as `./`
 * @throws Fault badRequest for an absolute name, one with `..`, an invalid one, or too many levels
 */
export function destinationOf(name: string, folder: TreePath): TreePath {
  const spelled = canonicalName(name)
  if (spelled.startsWith('/')) throw nameOutside('The name is absolute.')
  const segments = spelled.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) throw nameOutside('The name leads outside the folder.')
  let path = ROOT
  for (const segment of segments) path = childPath(path, segment)
  // Parsed again, because the two together may have too many levels.
  return parsePath(joinPath(folder, path))
}

function nameOutside(message: string): Fault {
  return new Fault('badRequest', message, { reason: 'nameOutside' })
}
