/** Uploads in parts (tus), as a client sends them. */
import { expect } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome } from './client.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }

/** Begins an upload. @returns its address */
export async function createUpload(client: Client, name: string, bytes: number): Promise<string> {
  const headers = { ...TUS, 'Upload-Length': String(bytes) }
  const created = await client.call('POST', `${API.tus}/${name}`, undefined, headers)
  expect(created.status).toBe(201)
  return created.headers.get('location') ?? ''
}

export function sendPart(
  client: Client,
  address: string,
  offset: number,
  body: BodyInit,
): Promise<string> {
  const headers = {
    ...TUS,
    'Upload-Offset': String(offset),
    'Content-Type': 'application/offset+octet-stream',
  }
  return outcome(client.call('PATCH', address, body, headers))
}

export async function offsetOf(client: Client, address: string): Promise<number> {
  const { headers } = await client.call('HEAD', address, undefined, TUS)
  return Number(headers.get('upload-offset') ?? Number.NaN)
}

/** A body that sends one part, and then waits for `send` and `end`. */
export function slowBody(part: string): {
  body: ReadableStream<Uint8Array<ArrayBuffer>>
  send(part: string): void
  end(): void
} {
  const encode = (text: string) => new TextEncoder().encode(text)
  const opened = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>>()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(encode(part))
      opened.resolve(controller)
    },
  })
  const ignoreCancelled = () => undefined
  return {
    body,
    send: (more) =>
      void opened.promise
        .then((controller) => controller.enqueue(encode(more)))
        .catch(ignoreCancelled),
    end: () => void opened.promise.then((controller) => controller.close()).catch(ignoreCancelled),
  }
}

/** Waits until so many bytes of an upload are staged in a served folder. @returns the path of the staged file */
export async function stagedBytes(root: string, address: string, bytes: number): Promise<string> {
  const id = new URL(address, 'http://localhost').searchParams.get('upload') ?? ''
  const file = join(root, '.filemgr/uploads', id)
  while (!existsSync(file) || statSync(file).size < bytes) await Bun.sleep(20)
  return file
}
