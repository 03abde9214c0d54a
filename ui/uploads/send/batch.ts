/** Sends many small files in one request; the response contains a result for each file (docs/api.md 1.17.1). */

import { faultOf } from '#ui/api/client/fault-of.ts'
import { currentToken } from '#ui/api/client/token.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { urls } from '#wire/api/routes.ts'
import { FAULT_HEADER, TOKEN_HEADER } from '#wire/api/session.ts'
import type { Fault } from '#wire/fault.ts'
import { commonFolder, parentPath, relativePath, type TreePath } from '#wire/paths.ts'
import { BATCH_FIELDS, type BatchInfo, type BatchResult } from '#wire/shapes/batch.ts'
import { abortedBy, noResponse } from './faults.ts'
import type { Attempt, Upload } from './transport.ts'

/** The request was aborted because of another file: it is unknown whether this file was stored. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

export function isSmall({ size }: Pick<File, 'size'>): boolean {
  return size <= UI_LIMITS.batchedFileMaxBytes
}

interface Member {
  upload: Upload
  attempt: Attempt
  end: PromiseWithResolvers<void>
  /** The bytes of the files before this one in the request; the form data around the files is not counted. */
  firstByte: number
}

/** One request for many files: those that are added in the same turn of the event loop. */
export class UploadBatch {
  /** In the order of the request; the response has one result for each, in the same order. */
  #members: Member[] = []
  /** The size of all files together. */
  #bytes = 0
  #xhr: XMLHttpRequest | undefined

  /**
   * Sends a file together with the others. Resolves when the server has stored this file.
   *
   * @throws Fault with the server's code, unavailable (no response), aborted (by the signal); Interrupted; UnreadableFileError;
   *   ChangedFileError
   */
  add(upload: Upload, attempt: Attempt): Promise<void> {
    const member = { upload, attempt, end: Promise.withResolvers<void>(), firstByte: this.#bytes }
    this.#bytes += upload.file.size
    this.#members.push(member)
    if (this.#members.length === 1) setTimeout(() => void this.#send())
    return member.end.promise
  }

  async #send(): Promise<void> {
    const xhr = new XMLHttpRequest()
    this.#xhr = xhr
    for (const { attempt, end } of this.#members) {
      const abort = () => this.#abort()
      attempt.signal.addEventListener('abort', abort)
      end.promise
        .catch(() => undefined)
        .finally(() => attempt.signal.removeEventListener('abort', abort))
      attempt.onStart(0)
    }
    const bodies = await this.#read()
    if (this.#members.some(({ attempt }) => attempt.signal.aborted)) this.#abort()
    else if (this.#members.length > 0) this.#open(xhr, bodies)
  }

  /** Reads the files. Those that cannot be read fail, and the others are sent without them. */
  async #read(): Promise<Blob[]> {
    // Loaded with the first upload, so that the listing does not wait for it.
    const loading = import('./checked-file.ts')
    const bodies = await Promise.all(
      this.#members.map(({ upload, end }) =>
        loading.then(({ readWhole }) => readWhole(upload.file)).catch(end.reject),
      ),
    )
    this.#members = this.#members.filter((_, index) => bodies[index])
    return bodies.filter((body) => body !== undefined)
  }

  #open(xhr: XMLHttpRequest, bodies: readonly Blob[]): void {
    const folder = commonFolder(this.#members.map(({ upload }) => parentPath(upload.path)))
    xhr.open('POST', withBase(urls.batch(folder)))
    xhr.setRequestHeader(TOKEN_HEADER, currentToken() ?? '')
    xhr.upload.onprogress = ({ loaded, total }) => this.#showProgress(loaded / (total || 1))
    xhr.onerror = () => this.#reject(() => noResponse())
    xhr.onload = () => this.#handleResponse(xhr)
    xhr.send(formOf(this.#members, bodies, folder))
  }

  /**
   * Reports the progress of each file. It is an estimate, because the browser only reports that of the request.
   *
   * @param fraction the part of the request that was sent, from 0 to 1
   */
  #showProgress(fraction: number): void {
    const sent = fraction * this.#bytes
    for (const { upload, attempt, firstByte } of this.#members) {
      attempt.onSent(Math.max(0, Math.min(upload.file.size, sent - firstByte)))
    }
  }

  #handleResponse(xhr: XMLHttpRequest): void {
    const { status, responseText: body } = xhr
    if (status !== 200) {
      const header = (name: string) => xhr.getResponseHeader(name)
      this.#reject(() => faultOf({ status, body, header }))
      return
    }
    const results = resultsOf(body)
    for (const [index, { upload, attempt, end }] of this.#members.entries()) {
      const result = results[index]
      // A result for another file says nothing about this one.
      const isStored = result?.status === 200 && result.path === upload.path
      if (isStored) {
        if (result.entry !== undefined) attempt.onJournalEntry(result.entry)
        end.resolve()
      } else end.reject(result && result.status !== 200 ? faultOfResult(result) : noResponse())
    }
  }

  /** Aborting one file aborts the request, and so all files; the others are then sent again one by one. */
  #abort(): void {
    this.#xhr?.abort()
    this.#reject(({ attempt }) =>
      attempt.signal.aborted ? abortedBy(attempt.signal) : new Interrupted(),
    )
  }

  #reject(reasonOf: (member: Member) => Error): void {
    for (const member of this.#members) member.end.reject(reasonOf(member))
  }
}

function formOf(members: readonly Member[], bodies: readonly Blob[], folder: TreePath): FormData {
  const form = new FormData()
  for (const [index, { upload }] of members.entries()) {
    const { file, path, override } = upload
    const info: BatchInfo = {
      path: relativePath(path, folder).slice(1),
      modified: file.lastModified,
      override,
    }
    form.append(BATCH_FIELDS.info, JSON.stringify(info))
    form.append(BATCH_FIELDS.file, bodies[index] ?? file, 'file')
  }
  return form
}

/** @returns an empty list if the body is not that of the server, because a proxy has responded */
function resultsOf(body: string): readonly BatchResult[] {
  try {
    const { results } = JSON.parse(body)
    return Array.isArray(results) ? results : []
  } catch {
    return []
  }
}

function faultOfResult({ status, fault, message = '' }: BatchResult): Fault {
  const header = (name: string) => (name === FAULT_HEADER ? fault : undefined)
  return faultOf({ status, body: message, header })
}
