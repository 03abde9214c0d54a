/**
 * Uploads of a file that was uploaded before. A finished upload answers only its own client, and only while its file is at
 * its path, so that nobody takes it for an upload that has stored other bytes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { defaultOptions, type HttpStack, Upload } from 'tus-js-client'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, clientWith, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 1024 * 1024
const TYPE = 'application/offset+octet-stream'
/** A time in whole seconds, which a program can restore exactly. */
const MODIFIED_S = 1_700_000_000
const DATED = `lastModified ${btoa(`${MODIFIED_S}000`)}`

let app: TestApp
let ben: Client
beforeAll(async () => {
  app = await openTestApp()
  ben = await app.person('ben', '--scope', '/anna')
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', name)
const bytesOf = (size = MIB) => new Uint8Array(randomBytes(size))

/** @returns the status of a HEAD request, with the offset and length if there are any */
async function head(address: string, who = app.anna): Promise<string> {
  const { status, headers } = await who.call('HEAD', address)
  const offset = headers.get('upload-offset')
  return offset === null ? `${status}` : `${status} ${offset}/${headers.get('upload-length')}`
}

const create = (name: string, length: number, { who = app.anna, metadata = '' } = {}) =>
  who.call('POST', `${API.tus}/${name}?override=true`, undefined, {
    'Upload-Length': String(length),
    'Upload-Metadata': metadata,
  })
const send = (address: string, offset: number, body: BodyInit, who = app.anna) =>
  who.call('PATCH', address, body, { 'Upload-Offset': String(offset), 'Content-Type': TYPE })

/** @returns the URL of the upload, from its `Location` */
async function upload(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  who = app.anna,
): Promise<string> {
  const address = (await create(name, bytes.length, { who })).headers.get('location') ?? ''
  expect(await outcome(send(address, 0, bytes, who))).toBe('204')
  return address
}

/** Uploads a file as a client does that asks for an unfinished upload at the path first. @returns whether it sent bytes */
async function uploadAgain(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { status, headers } = await app.anna.call('HEAD', `${API.tus}/${name}`)
  if (status === 200 && headers.get('upload-offset') === `${bytes.length}`) return false
  await upload(name, bytes)
  return true
}

const CHANGES: Record<string, (name: string, entry: number) => Promise<unknown>> = {
  'it was deleted': (name) => app.anna.call('DELETE', `${API.resources}/${name}`),
  'its upload was undone': (_, id) => app.anna.call('POST', `${API.journal}/undo`, { id }),
  'it was renamed': (name) =>
    app.anna.call('PATCH', `${API.resources}/${name}?action=rename&destination=%2F${name}-renamed`),
  'it was moved to a folder': async (name) => {
    await app.anna.call('POST', `${API.resources}/folder/`)
    const to = encodeURIComponent(`/folder/${name}`)
    await app.anna.call('PATCH', `${API.resources}/${name}?action=rename&destination=${to}`)
  },
  'other content was saved over it': (name) =>
    app.anna.call('PUT', `${API.resources}/${name}`, 'other content'),
  'another user has saved over it': (name) =>
    ben.call('PUT', `${API.resources}/${name}`, bytesOf()),
  'another upload has replaced it': (name) =>
    app.anna.call('POST', `${API.resources}/${name}?override=true`, bytesOf()),
  'another program has removed it': async (name) => rmSync(disk(name)),
  'another program has replaced it by a file of the same size': async (name) => {
    writeFileSync(disk(`${name}.new`), bytesOf())
    renameSync(disk(`${name}.new`), disk(name))
  },
  'another program has written to it and restored its size and time': async (name) => {
    writeFileSync(disk(name), bytesOf())
    utimesSync(disk(name), MODIFIED_S, MODIFIED_S)
  },
  'another program has replaced it by a folder': async (name) => {
    rmSync(disk(name))
    mkdirSync(disk(name))
  },
}

describe('uploading again @spec-8.9', () => {
  for (const [number, [what, change]] of Object.entries(CHANGES).entries()) {
    test(`a finished upload is not reported, and the file is sent again, after ${what}`, async () => {
      const name = `again-${number}.bin`
      const made = await create(name, MIB, { metadata: DATED })
      const address = made.headers.get('location') ?? ''
      const sent = await send(address, 0, bytesOf())
      expect(await head(address)).toBe(`200 ${MIB}/${MIB}`)
      await change(name, Number(sent.headers.get('x-journal-id')))
      expect([await head(address), await head(`${API.tus}/${name}`)]).toEqual(['404', '404'])
      expect(await outcome(send(address, MIB, ''))).toBe('404 notFound')
      if (what.endsWith('a folder') && what.includes('replaced'))
        rmSync(disk(name), { recursive: true })
      const again = bytesOf()
      expect(await uploadAgain(name, again)).toBe(true)
      expect(readFileSync(disk(name)).equals(again)).toBe(true)
    })
  }

  test('a path alone names no finished upload, so that other bytes of this length are sent', async () => {
    await upload('same-length.bin', bytesOf())
    expect(await head(`${API.tus}/same-length.bin`)).toBe('404')
    for (const [offset, body] of [
      [MIB, ''],
      [0, 'bytes'],
    ] as const) {
      expect(await outcome(send(`${API.tus}/same-length.bin`, offset, body))).toBe('404 notFound')
    }
    expect(await outcome(app.anna.call('DELETE', `${API.tus}/same-length.bin`))).toBe(
      '404 notFound',
    )
    const again = bytesOf()
    expect(await uploadAgain('same-length.bin', again)).toBe(true)
    expect(readFileSync(disk('same-length.bin')).equals(again)).toBe(true)
  })

  test('a finished upload is reported to no other session and to no other user', async () => {
    const address = await upload('own.bin', bytesOf())
    const another = await signIn(app.url, 'anna', PASSWORD)
    for (const who of [another, ben, app.admin]) {
      expect(await head(address, who)).toBe('404')
      expect(await outcome(send(address, MIB, '', who))).toBe('404 notFound')
    }
    expect(await head(address)).toBe(`200 ${MIB}/${MIB}`)
  })

  test('a finished upload is reported to the session that has sent its last bytes', async () => {
    const address = (await create('handed.bin', 4)).headers.get('location') ?? ''
    expect(await outcome(send(address, 0, 'on'))).toBe('204')
    const another = await signIn(app.url, 'anna', PASSWORD)
    expect(await head(address, another)).toBe('200 2/4')
    expect(await outcome(send(address, 2, 'ce', another))).toBe('204')
    expect([await head(address, another), await head(address)]).toEqual(['200 4/4', '404'])
  })

  test('an earlier upload to a path is not reported after the next one', async () => {
    const first = await upload('twice.bin', bytesOf())
    const second = await upload('twice.bin', bytesOf())
    expect([await head(first), await head(second)]).toEqual(['404', `200 ${MIB}/${MIB}`])
  })
})

describe('the undo of an upload', () => {
  /** @returns the number of the journal entry */
  async function uploadFor(name: string): Promise<number> {
    const made = await create(name, MIB, { metadata: DATED })
    const address = made.headers.get('location') ?? ''
    return Number((await send(address, 0, bytesOf())).headers.get('x-journal-id'))
  }
  const undo = (id: number) => outcome(app.anna.call('POST', `${API.journal}/undo`, { id }))

  test('an upload whose file has other content by now is not undone', async () => {
    const id = await uploadFor('saved-over.bin')
    writeFileSync(disk('saved-over.bin'), 'other content')
    expect(await undo(id)).toBe('412 precondition')
    expect(readFileSync(disk('saved-over.bin'), 'utf8')).toBe('other content')
  })

  test('content that another program has written without a trace is in the trash after the undo of the upload', async () => {
    const id = await uploadFor('unseen.bin')
    const other = bytesOf()
    writeFileSync(disk('unseen.bin'), other)
    utimesSync(disk('unseen.bin'), MODIFIED_S, MODIFIED_S)
    expect(await undo(id)).toBe('200')
    const [item] = await (await app.anna.call('GET', `${API.trash}?limit=1`)).json()
    expect(item).toMatchObject({ path: '/unseen.bin' })
    await app.anna.call('POST', API.trash, { ids: [item.id], beside: false, parents: false })
    expect(readFileSync(disk('unseen.bin')).equals(other)).toBe(true)
  })
})

test('a HEAD request names the URL of an unfinished upload, by which it is found when it is finished', async () => {
  await create('named.bin', 4)
  const asked = await app.anna.call('HEAD', `${API.tus}/named.bin`)
  const address = asked.headers.get('content-location') ?? ''
  expect(address).toMatch(/^\/api\/tus\/named\.bin\?upload=\w+$/)
  expect(await outcome(send(`${API.tus}/named.bin`, 0, 'done'))).toBe('204')
  expect([await head(address), await head(`${API.tus}/named.bin`)]).toEqual(['200 4/4', '404'])
})

test('the response to the last byte has the ETag of the file, and so has the state of the upload', async () => {
  const address = (await create('tagged.bin', 4)).headers.get('location') ?? ''
  const first = await send(address, 0, 'so')
  expect(first.headers.get('etag')).toBeNull()
  const last = await send(address, 2, 'me')
  const file = await app.anna.call('GET', `${API.resources}/tagged.bin`)
  const asked = await app.anna.call('HEAD', address)
  expect(last.headers.get('etag')).toBe(file.headers.get('etag'))
  expect(asked.headers.get('etag')).toBe(file.headers.get('etag'))
})

test('a standard tus client whose last response was lost learns that its upload is complete, and sends nothing again', async () => {
  const bytes = bytesOf()
  const requests: string[] = []
  await new Promise<void>((resolve, reject) => {
    new Upload(Buffer.from(bytes), {
      endpoint: app.url + API.tus,
      headers: { 'X-Auth': app.anna.token },
      metadata: { filename: 'lost response.bin' },
      chunkSize: MIB / 2,
      retryDelays: [0],
      httpStack: losingLastResponse(requests),
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
  expect(requests).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD'])
  expect(readFileSync(disk('lost response.bin')).equals(bytes)).toBe(true)
})

/** An HTTP stack that loses the response to the second PATCH. */
function losingLastResponse(requests: string[]): HttpStack {
  const { httpStack: stack } = defaultOptions
  return {
    getName: () => stack.getName(),
    createRequest(method, url) {
      requests.push(method)
      const request = stack.createRequest(method, url)
      const isLast = requests.filter((one) => one === 'PATCH').length === 2 && method === 'PATCH'
      if (!isLast) return request
      const sendRequest = request.send.bind(request)
      request.send = async (body: unknown) => {
        await sendRequest(body)
        throw new Error('The response is lost.')
      }
      return request
    },
  }
}

describe('after a restart', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a finished upload is still reported after %p, unless its file was changed meanwhile',
    async (signal) => {
      const folder = temporaryFolder()
      const [root, database] = [join(folder.path, 'root'), join(folder.path, 'f.db')]
      mkdirSync(root)
      const first = await startServer({ root, database })
      const client = await signIn(first.url, 'admin', first.password)
      const kept = await upload('kept.bin', bytesOf(), client)
      const changed = await upload('changed.bin', bytesOf(), client)
      first.kill(signal)
      await first.stop()
      writeFileSync(join(root, 'changed.bin'), 'other content')
      const second = await startServer({ root, database })
      const again = clientWith(second.url, client.token)
      expect([await head(kept, again), await head(changed, again)]).toEqual([
        `200 ${MIB}/${MIB}`,
        '404',
      ])
      await second.stop()
      folder.remove()
    },
    30_000,
  )
})

test('a client can compare its file with the bytes that have arrived', async () => {
  const bytes = bytesOf()
  const address = (await create('compared', bytes.length)).headers.get('location') ?? ''
  const sumAt = async (query = '&checksum=crc32') =>
    (await app.anna.call('HEAD', `${address}${query}`)).headers.get('upload-checksum')
  const sumOf = (part: Uint8Array) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(part))
    return `crc32 ${sum.toString('base64')}`
  }
  await send(address, 0, bytes.subarray(0, 700_000))
  expect(await sumAt('')).toBe(null)
  expect(await sumAt()).toBe(sumOf(bytes.subarray(0, 700_000)))
  const other = await app.anna.call('HEAD', `${address}&checksum=md5`)
  expect(other.status).toBe(400)
  await send(address, 700_000, bytes.subarray(700_000))
  expect(await sumAt()).toBe(null)
})
