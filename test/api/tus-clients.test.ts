/** Clients of tus from their packages upload, pause and resume. Uppy, in a browser: test/e2e/flows/uploads/uppy.spec.ts. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { API } from '#wire/api/routes.ts'
import { noTuspy, runTuspy } from '../support/clients/tuspy.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const BYTES = Buffer.from(Uint8Array.from({ length: 3 * 2 ** 20 + 1 }, (_, at) => at % 251))
const CHUNK = 2 ** 19
const sentTo = (name: string) => readFileSync(join(app.root, 'anna', name))

test('tus-js-client uploads, and resumes by the address of the upload after a pause', async () => {
  let paused: Upload | undefined
  const upload = (url: string | null, until?: number) =>
    new Promise<string | null>((done, fail) => {
      const client = new Upload(BYTES, {
        ...(url === null ? { endpoint: `${app.url}${API.tus}/` } : { uploadUrl: url }),
        headers: { 'X-Auth': app.anna.token },
        metadata: { filename: 'tus-js.bin' },
        chunkSize: CHUNK,
        onError: fail,
        onSuccess: () => done(client.url),
        onChunkComplete: (_, accepted) => {
          if (until === undefined || accepted < until) return
          paused = client
          void client.abort().then(() => done(client.url))
        },
      })
      client.start()
    })
  const url = await upload(null, 2 * CHUNK)
  expect(paused).toBeDefined()
  await upload(url)
  expect(sentTo('tus-js.bin').equals(BYTES)).toBe(true)
})

/** Arguments: address, token, file, and the address of an upload to resume, or how far to send. */
const PROGRAM = `
import sys
from tusclient import client
address, token, path, name, url, stop = sys.argv[1:]
tus = client.TusClient(address, headers={'X-Auth': token})
uploader = tus.uploader(path, chunk_size=${CHUNK}, metadata={'filename': name}, url=url or None)
uploader.upload(stop_at=int(stop) if stop else None)
print(uploader.url, uploader.offset)
`

if (noTuspy) process.stdout.write(`${noTuspy}\n`)
test.skipIf(noTuspy !== undefined)('tuspy uploads, and another process resumes', async () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'source.bin')
  writeFileSync(file, BYTES)
  const upload = (url: string, stop: string) =>
    runTuspy(PROGRAM, [`${app.url}${API.tus}/`, app.anna.token, file, 'tuspy.bin', url, stop])
  const [url = '', offset] = (await upload('', `${2 * CHUNK}`)).split(' ')
  expect(Number(offset)).toBe(2 * CHUNK)
  expect(await upload(url, '')).toBe(`${url} ${BYTES.length}`)
  expect(sentTo('tuspy.bin').equals(BYTES)).toBe(true)
  folder.remove()
})
