/** What is in an archive, one thing after the other. */

import { Fault } from '#wire/fault.ts'
import { canonicalName, nameOfBytes } from '#wire/names.ts'
import { childPath, joinPath, ROOT, type TreePath } from '#wire/paths.ts'

export type Bytes = AsyncIterable<Uint8Array>

export interface Member {
  /** As the archive spells it; bytes that are not UTF-8 as `wire/names.ts` writes them. */
  name: string
  kind: 'file' | 'folder' | 'other'
  sizeBytes: number
  /** Undefined where the archive does not tell. */
  modifiedMs: number | undefined
  /** Why it is not extracted; empty for what is. */
  problem: string
  /** Its bytes, until the next member is asked for. They fail where they are not what the archive says. */
  read(): Bytes
}

/** An archive that is being read. Ending it closes what it reads. */
export type Members = AsyncGenerator<Member, void>

/** Of the whole name of a member: PATH_MAX of Linux. */
const NAME_MAX_BYTES = 4096
/** What is shown of a longer one. */
const NAME_SHOWN_BYTES = 200

const encrypted = 'The archive is encrypted. Extract it with the program that made it.'

/** The name of a member, and why nothing can have it; empty for what can. A longer one is cut. */
export function memberName(bytes: Uint8Array): { name: string; problem: string } {
  if (bytes.length <= NAME_MAX_BYTES) return { name: nameOfBytes(bytes), problem: '' }
  const shown = nameOfBytes(bytes.subarray(0, NAME_SHOWN_BYTES))
  return { name: `${shown}…`, problem: 'Its name is too long.' }
}

/** @throws Fault unprocessable: the whole archive cannot be extracted */
export function damaged(): Fault {
  return new Fault('unprocessable', 'The archive is damaged.')
}

export function isEncrypted(): Fault {
  return new Fault('unprocessable', encrypted)
}

export function tooMuch(what: string): Fault {
  return new Fault('tooLarge', `The archive is not extracted: ${what}.`)
}

/**
 * Where a member goes: below `folder`, and nowhere else.
 *
 * @throws Fault badRequest for an absolute name, `..`, an empty name, and what no name can hold
 */
export function destinationOf(name: string, folder: TreePath): TreePath {
  const spelled = canonicalName(name)
  if (spelled.startsWith('/')) throw new Fault('badRequest', 'Its name is absolute.')
  const segments = spelled.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) throw new Fault('badRequest', 'Its name leads out of the folder.')
  let path = ROOT
  for (const segment of segments) path = childPath(path, segment)
  return joinPath(folder, path)
}
