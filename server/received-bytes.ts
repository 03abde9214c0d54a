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

/** As the stream, but the memory of each chunk is freed when the next one is read. */
export function freeingStream(from: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = from.getReader()
  let before: Uint8Array | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (before) freeBytes(before)
        const { done, value } = await reader.read()
        before = value
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the chunk before it is used.
    { highWaterMark: 0 },
  )
}
