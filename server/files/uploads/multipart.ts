/** Parses multipart/form-data (RFC 7578) as a stream, with at most one part in memory. */
import { streamOf } from '#server/archives/streams/stream-of.ts'
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'

/** A part of a form. */
export interface Part {
  name: string
  /** As the browser wrote it; undefined for a field that is not a file. */
  filename: string | undefined
  /** Undefined if the part is larger than the limit. */
  bytes: Uint8Array<ArrayBuffer> | undefined
  sizeBytes: number
}

/** Limit of the headers of one part. */
const HEAD_MAX_BYTES = 16 * 1024
const [CRLF, BLANK, DASHES] = [Buffer.from('\r\n'), Buffer.from('\r\n\r\n'), '--']

/**
 * @returns the delimiter of the parts
 * @throws Fault unsupported for another content type
 */
export function boundaryOf(contentType: string | undefined): string {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
      contentType ?? '',
    ) ?? []
  const boundary = quoted ?? plain
  if (boundary) return boundary
  throw new Fault('unsupported', 'Content-Type must be multipart/form-data with a boundary.')
}

/**
 * Yields each part when it is complete.
 *
 * @param partMaxBytes larger parts are read and dropped
 * @throws Fault badRequest for a malformed form, aborted if it ends early; errors of the body
 */
export async function* formParts(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  partMaxBytes: number,
): AsyncGenerator<Part> {
  const source = new Source(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  try {
    await source.until(delimiter, 0)
    while (!(await source.isEnd())) {
      const head = (await source.until(BLANK, HEAD_MAX_BYTES)).bytes
      if (!head) throw notAForm()
      const { name, filename } = dispositionOf(head.toString('utf8'))
      yield { name, filename, ...(await source.until(delimiter, partMaxBytes)) }
    }
  } finally {
    await source.cancel()
  }
}

/** Whether a body is a form, which may contain files. */
export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '')
}

/**
 * Reads a form as the only file in it. Fields that are not files are dropped.
 *
 * @returns the bytes of the file. They fail if another file follows, or if the rest is malformed or missing.
 * @throws Fault unsupported (no file, or an encoded one), badRequest (a malformed form), aborted (it ends early); errors
 *   of the body
 */
export async function fileInForm(
  body: ReadableStream<Uint8Array>,
  boundary: string,
): Promise<ByteStream> {
  const source = new Source(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  try {
    await source.until(delimiter, 0)
    if (!(await findFile(source, delimiter))) throw notOneFile()
  } catch (error) {
    await source.cancel()
    throw error
  }
  return streamOf(bytesOfFile(source, delimiter), () => source.cancel())
}

async function* bytesOfFile(source: Source, delimiter: Buffer): AsyncGenerator<Uint8Array, void> {
  yield* source.bytesBefore(delimiter)
  if (await findFile(source, delimiter)) throw notOneFile()
}

/** Reads up to the bytes of the next file; false if none follows. */
async function findFile(source: Source, delimiter: Buffer): Promise<boolean> {
  while (!(await source.isEnd())) {
    const head = (await source.until(BLANK, HEAD_MAX_BYTES)).bytes?.toString('utf8')
    if (head === undefined) throw notAForm()
    const parameters = parametersIn(head)
    if (/(?:^|;)\s*filename\*?\s*=\s*(?!"")[^\s;]/i.test(parameters)) {
      if (ENCODED.test(head)) throw new Fault('unsupported', 'The file in the form is encoded.')
      return true
    }
    await source.until(delimiter, 0)
  }
  return false
}

/** A coding of the bytes of a part, which RFC 7578 section 4.7 forbids. */
const ENCODED = /^content-transfer-encoding:\s*(?!binary|8bit|7bit)\S/im

/** The body, read from one mark to the next. */
class Source {
  readonly #chunks: AsyncIterator<Uint8Array>
  // The first delimiter may have no line before it.
  #buffer: Buffer<ArrayBuffer> = Buffer.from(CRLF)

  constructor(body: ReadableStream<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  /** Reads up to a mark, which is consumed, too. No bytes are returned if there are more than `maxBytes`. */
  async until(
    mark: Buffer,
    maxBytes: number,
  ): Promise<{ bytes: Buffer<ArrayBuffer> | undefined; sizeBytes: number }> {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    for (;;) {
      const { bytes, isLast } = this.#before(mark)
      sizeBytes += bytes.length
      if (sizeBytes <= maxBytes) chunks.push(bytes)
      else chunks.length = 0
      if (isLast)
        return { bytes: sizeBytes <= maxBytes ? Buffer.concat(chunks) : undefined, sizeBytes }
      await this.#fill()
    }
  }

  /** Yields the bytes up to a mark, which is consumed, too. */
  async *bytesBefore(mark: Buffer): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const { bytes, isLast } = this.#before(mark)
      if (bytes.length > 0) yield bytes
      if (isLast) return
      await this.#fill()
    }
  }

  /** Takes the bytes up to a mark out of the buffer, and the mark; without one, all bytes that cannot belong to it. */
  #before(mark: Buffer): { bytes: Buffer; isLast: boolean } {
    const index = this.#buffer.indexOf(mark)
    // The end of the buffer may be the beginning of the mark.
    const length = index >= 0 ? index : Math.max(0, this.#buffer.length - mark.length + 1)
    const bytes = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(index >= 0 ? index + mark.length : length)
    return { bytes, isLast: index >= 0 }
  }

  /**
   * Whether the last delimiter was the closing one.
   *
   * @throws Fault badRequest (neither), aborted (the form ends early)
   */
  async isEnd(): Promise<boolean> {
    while (this.#buffer.length < DASHES.length) await this.#fill()
    const next = this.#buffer.toString('latin1', 0, DASHES.length)
    if (next === DASHES) return true
    // An empty header block starts with this line's end.
    if (next !== '\r\n') throw notAForm()
    return false
  }

  async cancel(): Promise<void> {
    await this.#chunks.return?.().catch(() => undefined)
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) throw new Fault('aborted', 'The form ended before its last part. Send it again.')
    this.#buffer = Buffer.concat([this.#buffer, value])
  }
}

function dispositionOf(head: string): { name: string; filename: string | undefined } {
  const parameters = parametersIn(head)
  const name = parameterOf('name', parameters)
  if (name === undefined) throw notAForm()
  return { name, filename: parameterOf('filename', parameters) }
}

/** @throws Fault badRequest (a part without the header that RFC 7578 section 4.2 requires) */
function parametersIn(head: string): string {
  const [, parameters] = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head) ?? []
  if (parameters === undefined) throw notAForm()
  return parameters
}

/** Browsers escape only three characters of a name (HTML, "multipart/form-data encoding algorithm"). */
function parameterOf(key: string, parameters: string): string | undefined {
  const [, value] = new RegExp(`(?:^|;)\\s*${key}="([^"]*)"`, 'i').exec(parameters) ?? []
  return value?.replaceAll(/%22|%0D|%0A/gi, (code) => decodeURIComponent(code))
}

function notOneFile(): Fault {
  return new Fault(
    'unsupported',
    'A form that is sent to the address of a file must contain exactly one file. Send several files to /api/batch/.',
  )
}

function notAForm(): Fault {
  return new Fault('badRequest', 'The body is not a form with files.')
}
