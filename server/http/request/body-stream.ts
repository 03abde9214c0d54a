/** The body of a request, checked while it is read. */
import { Fault } from '#wire/fault.ts'

interface Checks {
  /** 0 means no limit. */
  limitBytes: number
  /** The announced length; undefined if there is none. */
  announcedBytes: number | undefined
  /** Makes the stream fail with the reason of the signal. */
  stop: AbortSignal
  onRead(chunk: Uint8Array): void
  /** Receives each chunk when the next one is read. */
  onUsed?: ((chunk: Uint8Array) => void) | undefined
}

/**
 * A stream that fails with Fault tooLarge beyond the limit, and aborted before the announced length. It is a single
 * layer over the stream of the runtime, because each layer takes some percent of the time of a small upload.
 */
export function checkedStream(
  from: ReadableStream<Uint8Array>,
  { limitBytes, announcedBytes, stop, onRead, onUsed }: Checks,
): ReadableStream<Uint8Array> {
  const reader = from.getReader()
  let total = 0
  let used: Uint8Array | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (stop.aborted) fail(controller, stop.reason)
        else stop.addEventListener('abort', () => fail(controller, stop.reason))
      },
      async pull(controller) {
        if (used) onUsed?.(used)
        const { done, value } = await reader.read()
        used = value
        if (stop.aborted) return
        if (done) {
          if (total < (announcedBytes ?? 0)) controller.error(incompleteBody())
          else controller.close()
          return
        }
        total += value.length
        onRead(value)
        if (limitBytes > 0 && total > limitBytes) fail(controller, fileTooLarge())
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // A chunk is read only when the one before it is used.
    { highWaterMark: 0 },
  )

  function fail(controller: ReadableStreamDefaultController<Uint8Array>, reason: unknown): void {
    controller.error(reason)
    // A connection that has failed already reports its own error, which nothing waits for.
    reader.cancel(reason).catch(() => undefined)
  }
}

/**
 * The bytes of a small body, read at once.
 *
 * @param reading resolves with the bytes
 * @throws Fault aborted before the announced length; the reason of `stop`, without waiting for the bytes
 */
export async function checkedBytes(
  reading: Promise<Uint8Array>,
  announcedBytes: number,
  stop: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await untilStopped(reading, stop)
  if (bytes.length < announcedBytes) throw incompleteBody()
  return bytes
}

async function untilStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const end = () => stopped.reject(stop.reason)
  if (stop.aborted) end()
  stop.addEventListener('abort', end)
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    stop.removeEventListener('abort', end)
    // Nothing waits for the work any more; it may still fail.
    work.catch(() => undefined)
  }
}

export function fileTooLarge(): Fault {
  return new Fault('tooLarge', 'The file is larger than this server accepts.', {
    reason: 'fileTooLarge',
  })
}

function incompleteBody(): Fault {
  return new Fault('aborted', 'The request ended before all of its body arrived. Send it again.')
}
