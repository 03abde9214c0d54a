/** Uploads to a file system below the root whose connection ends: the log says so, as for the root's own file system. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

if (noMounts) process.stdout.write(`${noMounts}\n`)

const ANNOUNCED = 300_000
const SENT = 100_000
const SMALL = 1000

describe.skipIf(noMounts !== undefined)('an upload to a mounted file system', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp

  beforeAll(async () => {
    folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(join(root, 'anna'), { recursive: true })
    app = await openTestApp({
      root,
      program: withMounts(root, [{ at: 'anna/disk', sizeMiB: 16 }]),
    })
    writeFileSync(disk('old.bin'), 'old')
  })
  afterAll(async () => {
    await app.stop()
    folder.remove()
  })

  const disk = (...names: string[]) => seenBy(app.server.pid, join(app.root, 'anna/disk', ...names))
  const staged = () => {
    const work = disk('.filemgr/work')
    return readdirSync(disk()).includes('.filemgr') &&
      readdirSync(disk('.filemgr')).includes('work')
      ? readdirSync(work, { recursive: true, withFileTypes: true }).filter((at) => at.isFile())
      : []
  }

  const REQUESTS: [title: string, method: string, target: string, type?: string][] = [
    ['a new file', 'POST', `${API.resources}/disk/new.bin`],
    ['a save', 'PUT', `${API.resources}/disk/old.bin`],
    ['a form', 'POST', `${API.resources}/disk/form.bin`, 'multipart/form-data; boundary=b'],
    ['a batch', 'POST', `${API.batch}/disk/`, 'multipart/form-data; boundary=b'],
    ['an upload', 'PATCH', '/disk/tus.bin', 'application/offset+octet-stream'],
  ]
  for (const [title, method, target, type] of REQUESTS) {
    for (const [announced, sent] of [
      [ANNOUNCED, SENT],
      [SMALL, SMALL / 2],
    ] as const) {
      test(`${title} of ${announced} bytes whose connection ends has its line in the log`, async () => {
        const address =
          method === 'PATCH' ? await begin(`${API.tus}${target}?override=true`, announced) : target
        const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="f.bin"\r\n\r\n'
        const envelope = type?.startsWith('multipart') ? form : ''
        const { socket } = await beginRequest(
          app.url,
          `${method} ${address}`,
          {
            [TOKEN_HEADER]: app.anna.token,
            'Content-Length': `${announced}`,
            ...(type && { 'Content-Type': type }),
            ...(method === 'PATCH' && { 'Upload-Offset': '0', 'Tus-Resumable': '1.0.0' }),
          },
          Buffer.concat([Buffer.from(envelope), Buffer.alloc(sent)]),
        )
        socket.end()
        const path = new URL(address, app.url).pathname
        const line = await app.server.says(
          new RegExp(`${RegExp.escape(path)}: (.*(?:of ${announced} bytes|500).*)`),
        )
        expect(line).toStartWith(`${method} by anna: the connection ended `)
      })
    }
  }

  test('leaves nothing behind, and the saved file as it was', async () => {
    await until(() => staged().length === 0)
    expect(readFileSync(disk('old.bin'), 'utf8')).toBe('old')
    expect(readdirSync(disk()).filter((name) => name !== '.filemgr')).toEqual(['old.bin'])
    expect(app.server.output()).not.toContain('connection was closed')
  })

  async function begin(target: string, length: number): Promise<string> {
    const created = await app.anna.call('POST', target, undefined, {
      'Upload-Length': `${length}`,
    })
    const { pathname, search } = new URL(created.headers.get('Location') ?? '', app.url)
    return pathname + search
  }
})
