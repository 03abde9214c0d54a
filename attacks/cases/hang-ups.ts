/** Clients that disconnect during a request, parallel connections, and upload ids. */
import { mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, hides, refused, untouched, works } from '../assertions.ts'
import { beginRequest, openResponse } from '../begun-request.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RequestHeaders } from '../raw-request.ts'

const TAKEN_OVER = 'one request at a time writes an upload, and a later one ends the earlier'
const COMPARED = 'bytes are counted and published only after they match their checksum'

export const hangUpCases: AttackCase[] = [
  {
    id: 'G-140',
    attack: 'interrupting an upload with a checksum, to keep it locked',
    reason: TAKEN_OVER,
    async run(fixture) {
      await begin(fixture, 'broken', 300_000)
      const bytes = 'b'.repeat(300_000)
      const checksum = { 'Upload-Checksum': sha1(bytes) }
      const disconnect = await stage(fixture, 'broken', bytes.slice(0, 200_000), checksum)
      disconnect()
      const head = works(await fixture.call('alice', 'HEAD', '/api/tus/broken'), 'asking')
      assert(
        head.headers.get('upload-offset') === '0',
        'the offset counts bytes whose checksum was not compared',
      )
      works(await send(fixture, 'broken', 0, bytes, checksum), 'sending it whole', 204)
      assert(fixture.read('alice/broken') === bytes, 'the file has other content')
    },
  },
  {
    id: 'G-141',
    attack: 'a HEAD request between the last byte and a wrong checksum',
    reason: COMPARED,
    async run(fixture) {
      await begin(fixture, 'wrong', 5000)
      const checksum = { 'Upload-Checksum': sha1('other') }
      const disconnect = await stage(fixture, 'wrong', 'w'.repeat(5000), checksum)
      const head = works(await fixture.call('alice', 'HEAD', '/api/tus/wrong'), 'asking')
      assert(
        head.headers.get('upload-offset') === '0',
        'the offset counts bytes whose checksum was not compared',
      )
      assert(!fixture.exists('alice/wrong'), 'the bytes were published')
      disconnect()
      refused(await send(fixture, 'wrong', 0, 'w'.repeat(5000), checksum), 'a wrong checksum', 460)
      works(await send(fixture, 'wrong', 0, 'w'.repeat(5000)), 'a plain one', 204)
    },
  },
  {
    id: 'G-142',
    attack: 'the id of another user’s upload, and of one’s own upload at another path',
    reason: 'an id is valid only for the owner of the upload and only with its path',
    advisories: ['CVE-2026-28682'],
    async run(fixture) {
      const staged = () => readdirSync(join(fixture.root, '.filemgr/uploads'))
      const before = staged()
      await begin(fixture, 'mine', 4)
      // The id of the upload is the name of its staged file, which the first byte creates.
      works(await send(fixture, 'mine', 0, 'g'), 'the first byte', 204)
      const id = staged().find((name) => !before.includes(name))
      assert(id !== undefined, 'the upload has no id')
      const others = works(await fixture.call('bob', 'GET', '/api/uploads'), 'the uploads of bob')
      assert(!others.text.includes(id), 'bob sees the upload of another user')
      for (const [who, target] of [
        ['creator', `/api/tus/mine?upload=${id}`],
        ['bob', `/api/tus/mine?upload=${id}`],
        ['alice', `/api/tus/other?upload=${id}`],
      ] as const) {
        for (const method of ['HEAD', 'DELETE']) {
          refused(await fixture.call(who, method, target), `${who} ${method}`, 404)
        }
        refused(await fixture.call(who, 'PATCH', target, 'evil', bytesAt(0)), `${who} PATCH`, 404)
      }
      works(
        await fixture.call('alice', 'PATCH', `/api/tus/mine?upload=${id}`, 'ood', bytesAt(1)),
        'the owner',
        204,
      )
      assert(fixture.read('alice/mine') === 'good', 'the file has other content')
    },
  },
  {
    id: 'G-143',
    attack: 'bytes after the end of a finished upload',
    reason: 'a finished upload reports that it is complete, and accepts nothing',
    async run(fixture) {
      const name = await begin(fixture, 'full', 4)
      works(await send(fixture, name, 0, 'full'), 'the bytes', 204)
      refused(await send(fixture, name, 4, 'more'), 'more of them', 413)
      works(await send(fixture, name, 4, ''), 'none', 204)
      refused(await send(fixture, 'full', 4, ''), 'a path without the id', 404)
      assert(fixture.read('alice/full') === 'full', 'the file was changed')
    },
  },
  {
    id: 'G-144',
    attack: 'one upload from two connections at once',
    reason: TAKEN_OVER,
    async run(fixture) {
      await begin(fixture, 'two', 10)
      const disconnect = await stage(fixture, 'two', 'first')
      refused(await send(fixture, 'two', 0, 'other67890'), 'from the beginning', 409)
      works(await send(fixture, 'two', 5, '67890'), 'from where it is', 204)
      disconnect()
      assert(
        fixture.read('alice/two') === 'first67890',
        `the file contains ${fixture.read('alice/two')}`,
      )
    },
  },
  {
    id: 'G-145',
    attack: 'an upload that is cancelled while it is sent',
    reason: TAKEN_OVER,
    async run(fixture) {
      await begin(fixture, 'cancelled', 10)
      const disconnect = await stage(fixture, 'cancelled', 'first')
      works(await fixture.call('alice', 'DELETE', '/api/tus/cancelled'), 'cancelling', 204)
      disconnect()
      refused(await fixture.call('alice', 'HEAD', '/api/tus/cancelled'), 'asking', 404)
      assert(!fixture.exists('alice/cancelled'), 'a file is there')
    },
  },
  {
    id: 'G-146',
    attack: 'archives whose clients read nothing, one after the other',
    reason: 'an archive counts in the concurrency limit until its threads have ended',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/pub/big'), '')
      truncateSync(fixture.disk('alice/pub/big'), 256 * 2 ** 20)
      const made = works(await fixture.call('alice', 'POST', '/api/share/pub/', {}), 'a link')
      const { hash } = JSON.parse(made.text)
      const target = `/api/public/dl/${hash}/?algo=tarxz`
      const first = await openResponse(fixture, `GET ${target}`)
      assert(first.status === 200, `an archive was answered with ${first.status}`)
      const connections = Array.from({ length: 40 }, () =>
        beginRequest(fixture, 'GET', target, {}, ''),
      )
      for (const disconnect of await Promise.all(connections)) disconnect()
      first.disconnect()
      works(await fixture.call('bob', 'GET', '/api/resources/'), 'a listing')
      works(await fixture.call('bob', 'GET', '/api/raw/?algo=tar'), 'the archive of another user')
    },
  },
  {
    id: 'G-147',
    attack: 'an archive of folders that link to each other',
    reason: 'an archive contains a folder at its own path, and at most once more through links',
    async run(fixture) {
      const names = Array.from({ length: 11 }, (_, index) => `d${index}`)
      for (const name of names) {
        mkdirSync(fixture.disk('alice/pub', name))
        writeFileSync(fixture.disk('alice/pub', name, 'in.txt'), name)
        for (const other of names)
          symlinkSync(`../${other}`, fixture.disk('alice/pub', name, other))
      }
      const response = works(
        await fixture.call('alice', 'GET', '/api/raw/pub/?algo=tar'),
        'the archive',
      )
      // A tar needs three blocks for a small file and one for a folder.
      assert(
        response.text.length < names.length * 2 * 4 * 512 + 65_536,
        'the archive contains the folders many times',
      )
      assert(response.text.includes('d0/in.txt'), 'the archive lacks a file')
    },
  },
  {
    id: 'G-148',
    attack: 'checksums of a very large file whose clients disconnect',
    reason: 'checksums have a concurrency limit, and end when their clients disconnect',
    async run(fixture) {
      writeFileSync(fixture.disk('alice/huge'), '')
      truncateSync(fixture.disk('alice/huge'), 2 ** 40)
      const target = '/api/resources/huge?checksum=sha512'
      const connections: Promise<() => void>[] = []
      const small = () => fixture.call('alice', 'GET', '/api/resources/own.txt?checksum=sha512')
      let status = 200
      for (let count = 0; count < 30 || (status !== 429 && count < 200); count += 1) {
        connections.push(beginRequest(fixture, 'GET', target, {}, ''))
        status = (await small()).status
      }
      assert(status === 429, 'all checksums are calculated at the same time')
      for (const disconnect of await Promise.all(connections)) disconnect()
      for (let response = await small(); response.status === 429; response = await small());
      works(await small(), 'the checksum of a small one')
    },
  },
  {
    id: 'G-149',
    attack: 'a search, a watch and the size of a denied folder',
    reason: 'each path is checked before anything begins',
    async run(fixture) {
      for (const api of ['search', 'events', 'usage']) {
        for (const path of ['private/', 'docs/secret/', 'private/none/']) {
          const response = await fixture.call('ruled', 'GET', `/api/${api}/${path}?query=txt`)
          refused(response, `${api} ${path}`, 403)
          hides(fixture, response, api, 'ruled/private/secret.txt', 'ruled/docs/secret/deep.txt')
        }
      }
      // The files of this attack are new. The index of names learns of them a moment later.
      for (let text = ''; !text.includes('free/a.txt'); ) {
        const search = await fixture.call('ruled', 'GET', '/api/search/?query=txt')
        text = works(search, 'a search').text
        assert(!/secret|private\//.test(text), 'a search from above finds denied files')
      }
      works(await fixture.call('ruled', 'GET', '/api/usage/free/'), 'the size of another')
      const events = { 'X-Auth': fixture.tokens.ruled ?? '' }
      const watch = await openResponse(fixture, 'GET /api/events/free/', events)
      assert(watch.status === 200, `the watch of another was answered with ${watch.status}`)
      watch.disconnect()
    },
  },
  {
    id: 'G-150',
    attack: 'very long upload metadata, and names that look like hosts',
    reason: 'metadata has a maximum length, and a name is a path below the root of the scope',
    async run(fixture) {
      const named = (text: string) => ({
        'Upload-Length': '0',
        'Upload-Metadata': `filename ${Buffer.from(text).toString('base64')}`,
      })
      const create = (name: string) =>
        fixture.call('alice', 'POST', '/api/tus', undefined, named(name))
      refused(await create('n'.repeat(9000)), 'long metadata', 400)
      for (const name of ['//host/x', 'http://host/x', '//[', '../../../../host/y']) {
        works(await create(name), name, 201)
      }
      assert(
        fixture.exists('alice/host/x') && fixture.exists('alice/host/y'),
        'the uploads are not below the root of the scope',
      )
      untouched(fixture, 'the attempt', 'bob/secret.txt')
    },
  },
]

/** @returns the name of the upload with its id */
async function begin(fixture: Fixture, name: string, bytes: number): Promise<string> {
  const length = { 'Upload-Length': String(bytes) }
  const target = `/api/tus/${name}`
  const made = await fixture.call('alice', 'POST', target, undefined, length)
  works(made, 'an upload', 201)
  return made.headers.get('location')?.split('/').at(-1) ?? ''
}

function send(
  fixture: Fixture,
  name: string,
  offset: number,
  bytes: string,
  headers: RequestHeaders = {},
) {
  return fixture.call('alice', 'PATCH', `/api/tus/${name}`, bytes, {
    ...bytesAt(offset),
    ...headers,
  })
}

function bytesAt(offset: number): RequestHeaders {
  return { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }
}

function sha1(text: string): string {
  return `sha1 ${new Bun.CryptoHasher('sha1').update(text).digest('base64')}`
}

/**
 * Starts to send bytes of an upload and waits until they are staged; the request is left open.
 *
 * @returns a function that breaks the connection
 */
async function stage(fixture: Fixture, name: string, bytes: string, headers: RequestHeaders = {}) {
  const chunked = { ...bytesAt(0), 'Transfer-Encoding': 'chunked', ...headers }
  const part = `${bytes.length.toString(16)}\r\n${bytes}\r\n`
  const folder = join(fixture.root, '.filemgr/uploads')
  const staged = () =>
    readdirSync(folder).filter((id) => {
      return statSync(join(folder, id), { throwIfNoEntry: false })?.size === bytes.length
    }).length
  const before = staged()
  const disconnect = await beginRequest(fixture, 'PATCH', `/api/tus/${name}`, chunked, part)
  while (staged() === before) await new Promise((next) => setTimeout(next, 10))
  return disconnect
}
