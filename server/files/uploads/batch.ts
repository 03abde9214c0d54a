/**
 * Uploads many small files in one request. Each file is written as by a request of its own, with its rights, rules
 * and commands; all are one change with one journal entry. Several are written in parallel, so that they share flushes.
 */

import type { FillWriter } from '#server/access/scope/fill.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import { sentTime } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import { BATCH_FIELDS, type BatchInfo } from '#wire/shapes/batch.ts'
import { batchInfoShape } from '#wire/shapes/shapes.ts'
import { formParts, type Part } from './multipart.ts'

/** Files of one request that are written in parallel, and the bytes of them in memory. */
const FILES_AT_ONCE = 32
const BYTES_AT_ONCE = 4 * 1024 * 1024

/**
 * The result for one file: its node, or the error. `path` is the folder of the request if the file has no valid path.
 */
export type WriteResult = { path: TreePath; sizeBytes: number } & (
  | { node: Node }
  | { error: unknown }
)

interface Form {
  body: ReadableStream<Uint8Array>
  boundary: string
  override: boolean
}

/** A received file with its options. */
interface ReceivedFile {
  info: BatchInfo
  part: Part
}

/**
 * Writes the files of a form below a folder, in the order of arrival.
 *
 * @param form.override whether existing files are replaced, unless the file's own options say otherwise
 * @param onWritten called for each file after it is written or refused
 * @returns the results in order
 * @throws Fault badRequest, aborted, tooLarge (too many files), unsupported; errors of the body. Complete files
 *   before the error are written.
 */
export async function writeBatch(
  scope: Scope,
  folder: TreePath,
  form: Form,
  onWritten: (written: WriteResult) => void,
): Promise<WriteResult[]> {
  const results: Promise<WriteResult>[] = []
  await scope.fill.upload(folder, (write) => writeAll({ write, folder, form, onWritten, results }))
  return Promise.all(results)
}

interface BatchWork {
  write: FillWriter['write']
  folder: TreePath
  form: Form
  onWritten(written: WriteResult): void
  /** Receives the result of each file. */
  results: Promise<WriteResult>[]
}

/** @throws as `writeBatch`, when the files before the error are written */
async function writeAll({ write, folder, form, onWritten, results }: BatchWork): Promise<void> {
  const inFlight = new InFlightLimit()
  try {
    for await (const arrived of filesOf(form)) {
      if (results.length >= SERVER_LIMITS.batchFilesMax) throw tooMany()
      const { sizeBytes } = arrived.part
      await inFlight.enter(sizeBytes)
      const written = writeFile(write, folder, arrived).finally(() => inFlight.leave(sizeBytes))
      const report = (file: WriteResult) => {
        onWritten(file)
        return file
      }
      results.push(written.then(report))
    }
  } finally {
    await Promise.all(results)
  }
}

/** Yields each file with its options, or with the name in the form. */
async function* filesOf({ body, boundary, override }: Form): AsyncGenerator<ReceivedFile> {
  let info: BatchInfo | undefined
  for await (const part of formParts(body, boundary, SERVER_LIMITS.batchFileMaxBytes)) {
    if (part.name === BATCH_FIELDS.info) {
      info = infoOf(part)
      continue
    }
    if (part.name !== BATCH_FIELDS.file)
      throw new Fault('badRequest', `The form contains an unknown field ${part.name}.`)
    const path = info?.path ?? part.filename
    if (!path) throw new Fault('badRequest', 'A file in the form has no name.')
    yield { part, info: { override, ...info, path } }
    info = undefined
  }
}

/** @throws Fault badRequest (not the JSON of `batchInfoShape`) */
function infoOf({ bytes }: Part): BatchInfo {
  try {
    return batchInfoShape.parse(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')))
  } catch (cause) {
    throw new Fault('badRequest', `The field ${BATCH_FIELDS.info} is not valid.`, {
      cause,
    })
  }
}

/** Writes a file. An error is part of the result and is not thrown. */
async function writeFile(
  write: FillWriter['write'],
  folder: TreePath,
  { info, part }: ReceivedFile,
): Promise<WriteResult> {
  const { sizeBytes, bytes } = part
  const result = { path: folder, sizeBytes }
  try {
    const path = joinPath(folder, info.path)
    result.path = path
    if (!bytes) throw tooLarge()
    const overwrite = info.override === true
    const modifiedMs = sentTime(info.modified === undefined ? undefined : String(info.modified))
    return { ...result, node: await write(path, bytes, { overwrite, modifiedMs }) }
  } catch (error) {
    return { ...result, error }
  }
}

/** Limits the files and bytes in progress; a single file of any size is admitted. */
class InFlightLimit {
  #files = 0
  #bytes = 0
  #waiting: PromiseWithResolvers<void> | undefined

  async enter(bytes: number): Promise<void> {
    while (
      this.#files > 0 &&
      (this.#files >= FILES_AT_ONCE || this.#bytes + bytes > BYTES_AT_ONCE)
    ) {
      this.#waiting ??= Promise.withResolvers()
      await this.#waiting.promise
    }
    this.#files += 1
    this.#bytes += bytes
  }

  leave(bytes: number): void {
    this.#files -= 1
    this.#bytes -= bytes
    this.#waiting?.resolve()
    this.#waiting = undefined
  }
}

function tooLarge(): Fault {
  const { batchFileMaxBytes } = SERVER_LIMITS
  return new Fault(
    'tooLarge',
    `A file in a batch may have at most ${batchFileMaxBytes} bytes. Upload larger files one at a time.`,
  )
}

function tooMany(): Fault {
  return new Fault('tooLarge', `A batch may have at most ${SERVER_LIMITS.batchFilesMax} files.`)
}
