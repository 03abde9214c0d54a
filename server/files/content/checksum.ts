/** Checksums of files, computed while streaming. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import type { ChecksumAlgorithm } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

/**
 * The digest of a file in hexadecimal. The whole file is read.
 *
 * @param clientLeft ends the read if the client has left
 * @throws Fault forbidden (also without the download permission), notFound, isDirectory, unsupported, aborted
 */
export async function checksum(
  scope: Scope,
  path: TreePath,
  algorithm: ChecksumAlgorithm,
  clientLeft: AbortSignal,
): Promise<string> {
  const { bytes } = await scope.read(path)
  const hash = createHash(algorithm)
  for await (const chunk of bytes) {
    if (clientLeft.aborted) throw new Fault('aborted', 'The client closed the connection.')
    hash.update(chunk)
  }
  return hash.digest('hex')
}
