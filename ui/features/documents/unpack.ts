/** Unpacks a document, which is a ZIP archive, within limits. */

import { type Unzipped, unzipSync } from 'fflate'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { DocumentProblem } from '#wire/formats/document-problem.ts'

/** The first bytes of a compound file, the format of documents that Microsoft Office has encrypted. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0]
/** The name of its part with the encrypted document, in UTF-16. */
const ENCRYPTED_PART = [...'EncryptedPackage'].flatMap((char) => [char.charCodeAt(0), 0])

/** The unpacked files, by their names in the archive. */
export type Parts = Unzipped

/**
 * Unpacks the files that `isWanted` selects.
 *
 * @throws DocumentProblem encrypted, tooLarge (the limits of this file, or `xmlMaxBytes` for all XML files together),
 *   broken
 */
export function unpack(
  bytes: Uint8Array,
  xmlMaxBytes: number,
  isWanted: (name: string) => boolean,
): Parts {
  if (COMPOUND_FILE.every((byte, index) => bytes[index] === byte)) {
    throw new DocumentProblem(includes(bytes, ENCRYPTED_PART) ? 'encrypted' : 'broken')
  }
  let [total, xml, files] = [0, 0, 0]
  try {
    return unzipSync(bytes, {
      // The library unpacks into a buffer of `originalSize`: a wrong size in the archive cannot exceed it.
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false
        total += originalSize
        if (/\.(xml|rels)$/i.test(name)) xml += originalSize
        files += 1
        if (
          total > ON_DEMAND_LIMITS.documentUnpackedMaxBytes ||
          xml > xmlMaxBytes ||
          files > ON_DEMAND_LIMITS.documentFilesMax
        ) {
          throw new DocumentProblem('tooLarge')
        }
        return true
      },
    })
  } catch (error) {
    throw error instanceof DocumentProblem ? error : new DocumentProblem('broken', { cause: error })
  }
}

/** @returns a file as text; undefined if there is none */
export function partText(parts: Parts, name: string): string | undefined {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  return part && new TextDecoder().decode(part)
}

/** Whether the bytes contain the sequence `wanted`. */
function includes(bytes: Uint8Array, wanted: readonly number[]): boolean {
  const first = wanted[0] ?? 0
  for (let start = bytes.indexOf(first); start >= 0; start = bytes.indexOf(first, start + 1)) {
    if (wanted.every((byte, offset) => bytes[start + offset] === byte)) return true
  }
  return false
}
