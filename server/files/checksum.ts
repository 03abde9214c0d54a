/** Checksums, computed as the bytes stream by. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope.ts'
import type { ChecksumAlgorithm } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

/**
 * A file's digest in hexadecimal. Costs one read of the file and no memory.
 *
 * @param gone ends the reading: nobody waits for the digest any more
 * @throws Fault forbidden (also without the download permission), notFound, isDirectory, aborted
 */
export async function checksum(
  scope: Scope,
  path: TreePath,
  algorithm: ChecksumAlgorithm,
  gone: AbortSignal,
): Promise<string> {
  const { bytes } = await scope.read(path)
  const hash = createHash(algorithm)
  for await (const chunk of bytes) {
    if (gone.aborted) throw new Fault('aborted', 'The client left.')
    hash.update(chunk)
  }
  return hash.digest('hex')
}
