/** Writes to an open file at an offset. */
import type { promises } from 'node:fs'

/**
 * Writes all bytes; one call of write(2) may write fewer.
 *
 * @param offset where the first byte is written
 * @throws system errors
 */
export async function writeAt(
  file: promises.FileHandle,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
  }
}
