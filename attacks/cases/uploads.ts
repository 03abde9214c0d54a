/** Resumable uploads. */
import { assert, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RequestHeaders } from '../raw-request.ts'

const BEFORE = 'length, name and rights are checked before anything is stored'

export const uploadCases: AttackCase[] = [
  {
    id: 'G-74',
    attack: 'an invalid length',
    reason: BEFORE,
    async run(fixture) {
      for (const length of ['-1', 'abc', '', '1e3', '99999999999999999999']) {
        const headers: RequestHeaders = length ? { 'Upload-Length': length } : {}
        refused(await begin(fixture, 'n.bin', headers), length, 400)
      }
      assert(!fixture.exists('alice/n.bin'), 'a file was made')
      works(await begin(fixture, 'n.bin', { 'Upload-Length': '0' }), 'an empty file', 201)
    },
  },
  {
    id: 'G-75',
    attack: 'more bytes than the declared length',
    reason: 'bytes beyond the end are refused, and the bytes of that request are removed',
    async run(fixture) {
      works(await begin(fixture, 'five', { 'Upload-Length': '5' }), 'beginning', 201)
      refused(await send(fixture, 'five', 0, 'x'.repeat(5000)), 'too much', 413)
      assert(!fixture.exists('alice/five'), 'a file appeared')
      works(await send(fixture, 'five', 0, 'hello'), 'what was declared', 204)
      assert(fixture.read('alice/five') === 'hello', 'the file has other content')
    },
  },
  {
    id: 'G-76',
    attack: 'a length that is declared later',
    reason: 'the length must be known from the start',
    async run(fixture) {
      refused(await begin(fixture, 'later', { 'Upload-Defer-Length': '1' }), 'later', 400)
      assert(!fixture.exists('alice/later'), 'a file was made')
      works(await begin(fixture, 'now', { 'Upload-Length': '1' }), 'now', 201)
    },
  },
  {
    id: 'G-77',
    attack: 'a wrong offset, a wrong type, an unknown upload',
    reason: 'an upload continues exactly where it stopped',
    async run(fixture) {
      works(await begin(fixture, 'part', { 'Upload-Length': '5' }), 'beginning', 201)
      refused(await send(fixture, 'part', 3, 'lo'), 'an offset ahead', 409)
      refused(
        await send(fixture, 'part', 0, 'hello', { 'Content-Type': 'text/plain' }),
        'another type',
        415,
      )
      refused(await send(fixture, 'part', 0, 'hello', { 'Upload-Offset': '' }), 'no offset', 400)
      refused(await send(fixture, 'none', 0, 'x'), 'no upload', 404)
      works(await send(fixture, 'part', 0, 'hello'), 'the right offset', 204)
    },
  },
  {
    id: 'G-78',
    attack: 'an upload over an existing file',
    reason: BEFORE,
    async run(fixture) {
      refused(await begin(fixture, 'own.txt', { 'Upload-Length': '1' }), 'a file', 409)
      refused(await begin(fixture, 'pub', { 'Upload-Length': '1' }), 'a folder', 409)
      refused(await begin(fixture, 'pub?override=true', { 'Upload-Length': '1' }), 'a folder', 409)
      untouched(fixture, 'the attempt', 'alice/own.txt', 'alice/pub/in.txt')
      works(
        await begin(fixture, 'own.txt?override=true', { 'Upload-Length': '1' }),
        'an upload with override=true',
        201,
      )
      untouched(fixture, 'an unfinished upload', 'alice/own.txt')
    },
  },
  {
    id: 'G-79',
    attack: 'a path in the metadata',
    reason:
      'the URL names the destination; if it has no path, the name in the metadata does, as a path in the user’s scope',
    async run(fixture) {
      const traversal = Buffer.from('../../bob/x').toString('base64')
      const metadata = {
        'Upload-Length': '0',
        'Upload-Metadata': `filename ${traversal}`,
      }
      const before = String(fixture.names('bob'))
      works(await begin(fixture, 'named.bin', metadata), 'an upload with a path in the URL', 201)
      assert(fixture.exists('alice/named.bin'), 'the upload is not where the URL says')
      const joined = { ...metadata, 'Upload-Concat': 'final;../../bob/secret.txt' }
      refused(await begin(fixture, 'joined.bin', joined), 'a joined upload', 400)
      const named = { ...metadata, 'Tus-Resumable': '1.0.0' }
      works(await fixture.call('alice', 'POST', '/api/tus', undefined, named), 'no path', 201)
      assert(fixture.exists('alice/bob/x'), 'the upload is not where the metadata says')
      assert(String(fixture.names('bob')) === before, 'the upload created a file in bob’s folder')
      untouched(fixture, 'the attempt', 'bob/secret.txt')
      assert(!fixture.exists('x'), 'the upload created a file above the scope')
    },
  },
  {
    id: 'G-80',
    attack: 'an upload larger than the free space',
    reason: 'the free space is checked at the beginning',
    async run(fixture) {
      const response = await begin(fixture, 'huge', { 'Upload-Length': String(2 ** 49) })
      // 413 if the server limits uploads.
      assert(
        [413, 507].includes(response.status),
        `the upload was answered with ${response.status}`,
      )
      works(await begin(fixture, 'small', { 'Upload-Length': '1' }), 'a small one', 201)
    },
  },
]

function begin(fixture: Fixture, target: string, headers: RequestHeaders) {
  const all = { 'Tus-Resumable': '1.0.0', ...headers }
  return fixture.call('alice', 'POST', `/api/tus/${target}`, undefined, all)
}

function send(
  fixture: Fixture,
  target: string,
  offset: number,
  bytes: string,
  headers: RequestHeaders = {},
) {
  return fixture.call('alice', 'PATCH', `/api/tus/${target}`, bytes, {
    'Tus-Resumable': '1.0.0',
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(offset),
    ...headers,
  })
}
