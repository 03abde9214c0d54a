/** Requests that outlive their permission: the session or the share ends during the transfer. */
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, refused, works } from '../assertions.ts'
import { MANY_BYTES, type OpenResponse, openResponse } from '../begun-request.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RequestHeaders } from '../raw-request.ts'

const RECHECKED =
  'access is checked again each second while content is sent, and a refusal aborts the response'
const HUGE_BYTES = 2 ** 40

export const lateCases: AttackCase[] = [
  {
    id: 'G-183',
    attack: 'downloads that continue after signing out',
    reason: RECHECKED,
    async run(fixture) {
      await withHuge(fixture, async () => {
        const token = works(await fixture.signIn('alice'), 'signing in').text
        const sent = await Promise.all(
          ['/api/raw/huge', '/api/raw/?algo=tar', '/api/events/'].map((target) =>
            openResponse(fixture, `GET ${target}`, { 'X-Auth': token }),
          ),
        )
        const stays = await openResponse(fixture, 'GET /api/raw/huge', {
          'X-Auth': fixture.tokens.alice ?? '',
        })
        works(
          await fixture.call('', 'POST', '/api/logout', undefined, { 'X-Auth': token }),
          'signing out',
        )
        await areAborted(sent)
        assert(stays.status === 200, `another session was answered with ${stays.status}`)
        assert(await stays.continues(), 'another session lost its download')
        stays.disconnect()
        const events = openResponse(fixture, 'GET /api/events/', {
          'X-Auth': fixture.tokens.alice ?? '',
        })
        assert((await events).status === 200, 'another session has no events')
        ;(await events).disconnect()
      })
    },
  },
  {
    id: 'G-184',
    attack: 'downloads that continue after their share was removed',
    reason: RECHECKED,
    async run(fixture) {
      await withHuge(fixture, async () => {
        const share = async () => {
          const made = await fixture.call('alice', 'POST', '/api/share/', {})
          return JSON.parse(works(made, 'a public link').text).hash
        }
        const [removed, other] = [await share(), await share()]
        const sent = await Promise.all(
          ['huge', '?algo=tar'].map((target) =>
            openResponse(fixture, `GET /api/public/dl/${removed}/${target}`),
          ),
        )
        const stays = await openResponse(fixture, `GET /api/public/dl/${other}/huge`)
        works(await fixture.call('alice', 'DELETE', `/api/share/${removed}`), 'removing it')
        await areAborted(sent)
        assert(stays.status === 200, `another share was answered with ${stays.status}`)
        assert(await stays.continues(), 'another share lost its download')
        stays.disconnect()
      })
    },
  },
  {
    id: 'G-185',
    attack: 'an upload that continues after signing out',
    reason:
      'access is checked again each second of an upload, and once more before its file is published',
    async run(fixture) {
      const token = works(await fixture.signIn('alice'), 'signing in').text
      const tus = (method: string, headers: RequestHeaders) =>
        fixture.call('alice', method, '/api/tus/late', undefined, headers)
      works(await tus('POST', { 'Upload-Length': '9' }), 'an upload', 201)
      const folder = join(fixture.root, '.filemgr/uploads')
      const staged = () => readdirSync(folder).some((id) => statSync(join(folder, id)).size === 5)
      const headers = {
        'X-Auth': token,
        'Transfer-Encoding': 'chunked',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      }
      const sent = openResponse(fixture, 'PATCH /api/tus/late', headers, '5\r\nfirst\r\n')
      let isAnswered = false
      const answered = sent.finally(() => {
        isAnswered = true
      })
      while (!staged() && !isAnswered) await new Promise((next) => setTimeout(next, 10))
      if (isAnswered) assert(false, `the upload was answered with ${(await answered).status}`)
      works(
        await fixture.call('', 'POST', '/api/logout', undefined, { 'X-Auth': token }),
        'signing out',
      )
      const { status, disconnect } = await answered
      assert(status === 401, `the upload was answered with ${status}`)
      disconnect()
      const head = works(await tus('HEAD', {}), 'asking with another session')
      assert(head.headers.get('upload-offset') === '5', 'bytes that had arrived are lost')
      refused(await fixture.call('alice', 'GET', '/api/raw/late'), 'reading it', 404)
      works(await tus('DELETE', {}), 'cancelling', 204)
    },
  },
  {
    id: 'G-206',
    attack: 'moving a folder while it is downloaded, so that an incomplete archive looks complete',
    reason: 'an archive is aborted when a listed file no longer exists',
    async run(fixture) {
      const folder = fixture.disk('alice/album')
      mkdirSync(folder)
      for (const name of ['a', 'b', 'c']) {
        writeFileSync(join(folder, name), '')
        truncateSync(join(folder, name), MANY_BYTES)
      }
      const download = () =>
        openResponse(fixture, 'GET /api/raw/album?algo=tar', {
          'X-Auth': fixture.tokens.alice ?? '',
        })
      const whole = await download()
      assert(whole.status === 200, `the archive was answered with ${whole.status}`)
      assert(!(await whole.isTruncated()), 'the archive of a folder that stays is truncated')
      const sent = await download()
      const to = encodeURIComponent('/bob/album')
      const move = `/api/resources/alice/album?action=rename&destination=${to}`
      works(await fixture.call('admin', 'PATCH', move), 'moving it')
      await areAborted([sent])
      rmSync(fixture.disk('bob/album'), { recursive: true })
    },
  },
]

/** Creates a file of one tebibyte for alice, which no transfer sends completely, and removes it after the test. */
async function withHuge(fixture: Fixture, run: () => Promise<void>): Promise<void> {
  const file = fixture.disk('alice/huge')
  writeFileSync(file, '')
  truncateSync(file, HUGE_BYTES)
  try {
    await run()
  } finally {
    rmSync(file)
  }
}

/** The responses must have begun with 200, and must end before they are complete. */
async function areAborted(sent: OpenResponse[]): Promise<void> {
  for (const { status, isTruncated } of sent) {
    assert(status === 200, `a request was answered with ${status}`)
    assert(await isTruncated(), 'the response was complete')
  }
}
