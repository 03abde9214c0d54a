/**
 * Many small files in one request. Each is written as by a request of its own, when all of it has arrived: with its
 * rights, its rules, its entry in the journal, and in one step. Several are written at once, so that they share their
 * flushes.
 */
import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import { BATCH_FIELDS, type BatchInfo } from '#wire/batch.ts'
import { sentTime } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import { batchInfoShape } from '#wire/shapes.ts'
import { type Part, partsOf } from './multipart.ts'

/** Files that are written at a time, and their bytes: what one request has in memory. */
const FILES_AT_ONCE = 32
const BYTES_AT_ONCE = 4 * 1024 * 1024

/** What became of one file: its node, or why it was refused. `path` is the folder of the request where a file has none that could be. */
export type Written = { path: TreePath; sizeBytes: number } & ({ node: Node } | { error: unknown })

/** A file as it came, and what is to become of it. */
interface Arrived {
  info: BatchInfo
  part: Part
}

/**
 * Writes the files of a form below a folder, in the order in which they come.
 *
 * @param form.override replaces files that are there, where nothing else is said of one
 * @param form.told is called with each file when it is written or refused
 * @returns what became of each, in their order
 * @throws Fault badRequest, aborted, tooLarge (too many files), unsupported; what the body throws. Whole files that
 *   came before are written all the same.
 */
export async function writeBatch(
  scope: Scope,
  folder: TreePath,
  form: { body: ReadableStream<Uint8Array>; boundary: string; override: boolean },
  told: (written: Written) => void,
): Promise<Written[]> {
  const results: Promise<Written>[] = []
  const room = new Room()
  try {
    for await (const arrived of filesOf(form)) {
      if (results.length >= LIMITS.batchFilesMax) throw tooMany()
      const { sizeBytes } = arrived.part
      await room.enter(sizeBytes)
      const written = write(scope, folder, arrived).finally(() => room.leave(sizeBytes))
      const hear = (file: Written) => {
        told(file)
        return file
      }
      results.push(written.then(hear))
    }
  } finally {
    await Promise.all(results)
  }
  return Promise.all(results)
}

/** Each file with what was said of it, or with its own name. */
async function* filesOf({
  body,
  boundary,
  override,
}: {
  body: ReadableStream<Uint8Array>
  boundary: string
  override: boolean
}): AsyncGenerator<Arrived> {
  let info: BatchInfo | undefined
  for await (const part of partsOf(body, boundary, LIMITS.batchFileMaxBytes)) {
    if (part.name === BATCH_FIELDS.info) {
      info = infoOf(part)
      continue
    }
    if (part.name !== BATCH_FIELDS.file)
      throw new Fault('badRequest', `${part.name}: no such field`)
    const path = info?.path ?? part.filename
    if (!path) throw new Fault('badRequest', 'A file has no name.')
    yield { part, info: { override, ...info, path } }
    info = undefined
  }
}

/** @throws Fault badRequest */
function infoOf({ bytes }: Part): BatchInfo {
  try {
    return batchInfoShape.parse(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')))
  } catch (cause) {
    throw new Fault('badRequest', `${BATCH_FIELDS.info} does not say what becomes of its file`, {
      cause,
    })
  }
}

/** Never throws. */
async function write(scope: Scope, folder: TreePath, { info, part }: Arrived): Promise<Written> {
  const { sizeBytes, bytes } = part
  const answer = { path: folder, sizeBytes }
  try {
    const path = joinPath(folder, info.path)
    answer.path = path
    if (!bytes) throw tooLarge()
    const overwrite = info.override === true
    const modifiedMs = sentTime(info.modified === undefined ? undefined : String(info.modified))
    return { ...answer, node: await scope.write(path, bytes, { overwrite, modifiedMs }) }
  } catch (error) {
    return { ...answer, error }
  }
}

/** Lets so many files in at a time, and so many bytes; one file of any size always. */
class Room {
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
  const { batchFileMaxBytes } = LIMITS
  return new Fault('tooLarge', `A file of a batch has at most ${batchFileMaxBytes} bytes.`)
}

function tooMany(): Fault {
  return new Fault('tooLarge', `A batch has at most ${LIMITS.batchFilesMax} files.`)
}
