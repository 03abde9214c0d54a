/** Reads the picture that a camera has stored in its raw file. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { TreePath } from '#wire/paths.ts'
import { FileByteReader } from '../media/byte-reader.ts'
import { orientedJpeg } from '../media/jpeg-orientation.ts'
import { findRawPicture } from '../media/raw-picture.ts'

/**
 * @returns an upright JPEG; undefined if the file has none
 * @throws Fault as `Scope.read`
 */
export async function rawPicture(
  scope: Pick<Scope, 'read'>,
  { path, sizeBytes }: Node,
): Promise<Uint8Array | undefined> {
  const reader = new FileByteReader(sizeBytes, (first, last) => read(scope, path, first, last))
  const found = await findRawPicture(reader)
  if (!found) return undefined
  const jpeg = await read(scope, path, found.start, found.start + found.sizeBytes - 1)
  return orientedJpeg(jpeg, found.orientation)
}

async function read(
  scope: Pick<Scope, 'read'>,
  path: TreePath,
  first: number,
  last: number,
): Promise<Uint8Array> {
  const { bytes } = await scope.read(path, () => ({ first, last }))
  return new Response(bytes).bytes()
}
