/** Frees the memory of received bytes. */

/**
 * Frees the memory of bytes that are not needed any more. The garbage collector would free it much later, so that an
 * upload would occupy many megabytes. All views of the memory are unusable afterwards.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes
  // A part of a larger buffer is not freed, because the rest may be in use.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
}
