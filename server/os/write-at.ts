/** Writes to an open file at an offset. */

/**
 * Writes all bytes; one call of write(2) may write fewer.
 *
 * @param offset where the first byte is written
 * @throws system errors
 */
export async function writeAt(
  file: {
    write(
      bytes: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): Promise<{ bytesWritten: number }>
  },
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
  }
}
