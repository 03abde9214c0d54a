/** Names in the form in which the thread of the index sends them. */
import type { NameMatches } from '#server/storage/names.ts'
import { BITS } from './name-columns.ts'
import type { NameBatch } from './protocol.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** @returns the names; a NUL byte ends each of them */
export function splitAtNul(bytes: Uint8Array): string[] {
  return decoder.decode(bytes).split('\0').slice(0, -1)
}

/** @returns the paths of a batch, and whether each is a folder or a link */
export function nameMatchesOf({ paths, bits }: NameBatch): NameMatches {
  return {
    paths: splitAtNul(paths),
    isFolder: (index) => ((bits[index] ?? 0) & BITS.folder) !== 0,
    isLink: (index) => ((bits[index] ?? 0) & BITS.link) !== 0,
  }
}
