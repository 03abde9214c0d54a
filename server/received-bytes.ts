/** The memory of received bytes. */

/**
 * Frees the memory of bytes that are written. The collector would free it much later, so that an upload would hold many
 * megabytes. All views of the memory are unusable afterwards.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes
  // A part of a larger buffer, which others may use, is left to the collector.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
}
