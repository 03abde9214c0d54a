/** Forms with files (RFC 7578) that are sent to the address of one file, as by `curl -F`. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--upload-limit', '20MB'] })
})
afterAll(() => app.stop())

const disk = (name = '') => join(app.root, 'anna', name)
const read = (name: string) => readFileSync(disk(name), 'utf8')
const url = (name: string) => `${API.resources}/${name}`

type Part = [field: string, content: string | Uint8Array<ArrayBuffer>, filename?: string]

function formOf(...parts: Part[]): FormData {
  const form = new FormData()
  for (const [field, content, filename] of parts) {
    if (filename === undefined) form.append(field, String(content))
    else form.append(field, new Blob([content]), filename)
  }
  return form
}

const send = (method: string, name: string, body: BodyInit, headers = {}) =>
  app.anna.call(method, url(name), body, headers)

const TYPED = { 'Content-Type': 'multipart/form-data; boundary=x' }
const HEAD = 'Content-Disposition: form-data; name="file"; filename="f"'

describe('the file of a form', () => {
  test('is the content, without its envelope', async () => {
    const answer = await send('POST', 'a.mp3', formOf(['file', 'music', 'other.mp3']))
    expect([answer.status, read('a.mp3')]).toEqual([200, 'music'])
    const { headers } = await app.anna.call('GET', url('a.mp3'))
    expect(answer.headers.get('etag')).toBe(headers.get('etag') ?? 'none')
    const saved = await send('PUT', 'a.mp3', formOf(['any', 'saved', 'x']))
    expect([saved.status, read('a.mp3')]).toEqual([200, 'saved'])
    expect(readdirSync(disk())).not.toContain('other.mp3')
  })

  test('is written whatever its size, and when its form has other fields', async () => {
    for (const size of [0, 1, 70_000, 3_000_000]) {
      const content = randomBytes(size)
      const form = formOf(['note', 'before'], ['file', content, 'f'], ['note', 'after'])
      expect(await outcome(send('POST', `size-${size}`, form))).toBe('200')
      expect(Buffer.compare(readFileSync(disk(`size-${size}`)), content)).toBe(0)
    }
  })

  test('may contain what looks like a boundary', async () => {
    const content = '\r\n--\r\n--y\r\n\r\n-x--\r\n--'
    const body = `--x\r\n${HEAD}\r\n\r\n${content}\r\n--x--\r\n`
    expect(await outcome(send('POST', 'looks', body, TYPED))).toBe('200')
    expect(read('looks')).toBe(content)
  })

  test('is found however its name is written', async () => {
    for (const name of ['filename=f', 'filename="a\\"b"', "filename*=utf-8''f", 'FileName = "f"']) {
      const head = `content-disposition:form-data; name=file; ${name}`
      const body = `--x\r\n${head}\r\nContent-Transfer-Encoding: binary\r\n\r\n${name}\r\n--x--`
      const sent = send('POST', 'named?override=true', body, TYPED)
      expect([name, await outcome(sent)]).toEqual([name, '200'])
      expect(read('named')).toBe(name)
    }
  })

  test('has the time and the conditions of any upload', async () => {
    const headers = { 'X-Modified': '1700000000000' }
    expect(await outcome(send('POST', 'time', formOf(['file', 'x', 'f']), headers))).toBe('200')
    expect(statSync(disk('time')).mtimeMs).toBe(1_700_000_000_000)
    const again = () => send('POST', 'time', formOf(['file', 'y', 'f']))
    expect(await outcome(again())).toBe('409 conflict')
    const old = { 'If-Match': '"old"' }
    expect(await outcome(send('PUT', 'time', formOf(['file', 'y', 'f']), old))).toBe(
      '412 precondition',
    )
    expect(await outcome(send('PUT', 'none', formOf(['file', 'y', 'f'])))).toBe('404 notFound')
    expect(read('time')).toBe('x')
  })

  test('is recorded with its own size', async () => {
    expect(await outcome(send('POST', 'sized', formOf(['file', '12345', 'f'])))).toBe('200')
    const records = await app.anna.call('GET', `${API.audit}?action=upload&limit=1`)
    const [last]: AuditEntry[] = await records.json()
    expect(last).toMatchObject({ path: '/sized', bytes: 5 })
  })

  test('is limited as any upload', async () => {
    const large = formOf(['file', new Uint8Array(21 * 1024 * 1024), 'f'])
    expect(await outcome(send('POST', 'large', large))).toBe('413 tooLarge')
    expect(existsSync(disk('large'))).toBe(false)
  })
})

describe('nothing is written', () => {
  const file = (content: string) => `--x\r\n${HEAD}\r\n\r\n${content}`

  test.each<[string, BodyInit, Record<string, string>, string]>([
    ['a form without a file', formOf(['file', 'text']), {}, '415 unsupported'],
    ['a form with an empty choice', formOf(['file', '', '']), {}, '415 unsupported'],
    ['two files', formOf(['a', '1', 'a'], ['b', '2', 'b']), {}, '415 unsupported'],
    ['a form without parts', '--x--\r\n', TYPED, '415 unsupported'],
    ['no boundary', file('x'), { 'Content-Type': 'multipart/form-data' }, '415 unsupported'],
    [
      'an encoded file',
      `--x\r\n${HEAD}\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--x--`,
      TYPED,
      '415 unsupported',
    ],
    ['no form', 'text', TYPED, '408 aborted'],
    ['a part without a name', '--x\r\nno head\r\n\r\nbytes\r\n--x--', TYPED, '400 badRequest'],
    ['a wrong end', `${file('x')}\r\n--x??`, TYPED, '400 badRequest'],
    ['an early end', `${file('begins')}`, TYPED, '408 aborted'],
    ['an early end after the file', `${file('x')}\r\n--x\r\n${HEAD}`, TYPED, '408 aborted'],
    [
      'a long head',
      `--x\r\n${HEAD}${' '.repeat(20_000)}\r\n\r\nx\r\n--x--`,
      TYPED,
      '400 badRequest',
    ],
  ])('of %s', async (_, body, headers, expected) => {
    expect(await outcome(send('POST', 'bad', body, headers))).toBe(expected)
    writeFileSync(disk('old'), 'old')
    expect(await outcome(send('PUT', 'old', body, headers))).toBe(expected)
    expect([existsSync(disk('bad')), read('old')]).toEqual([false, 'old'])
  })

  test('of a form to a folder, which would be lost', async () => {
    mkdirSync(disk('box'))
    const answer = await send('POST', 'box/', formOf(['file', 'x', 'f']))
    expect([answer.status, await answer.text()]).toEqual([
      415,
      expect.stringContaining('/api/batch/'),
    ])
    expect(await outcome(send('POST', 'new/', formOf(['file', 'x', 'f'])))).toBe('415 unsupported')
    expect([readdirSync(disk('box')), existsSync(disk('new'))]).toEqual([[], false])
    expect(await outcome(app.anna.call('POST', url('new/')))).toBe('200')
  })

  test('of a form without the right to write', async () => {
    const reader = await app.person('reader', '--scope', '/anna', '--perm.create=false')
    const form = formOf(['file', 'x', 'f'])
    expect(await outcome(reader.call('POST', url('b.txt'), form))).toBe('403 forbidden')
  })

  test('of a form to a resumable upload', async () => {
    const made = await app.anna.call('POST', `${API.tus}/t.txt`, undefined, {
      'Upload-Length': '1',
    })
    const where = new URL(made.headers.get('location') ?? '', app.url)
    const form = formOf(['file', 'x', 'f'])
    const sent = app.anna.call('PATCH', where.pathname + where.search, form, {
      'Upload-Offset': '0',
    })
    expect(await outcome(sent)).toBe('415 unsupported')
    expect(await outcome(app.anna.call('POST', '/share-target', form))).toBe('404 notFound')
  })
})

test('a body of another type is the content itself, as scripts send it', async () => {
  const types = ['application/x-www-form-urlencoded', 'multipart/mixed; boundary=x', 'text/plain']
  for (const type of types) {
    const body = '--x\r\n\r\nfile=1\r\n--x--'
    expect(await outcome(send('POST', 'raw?override=true', body, { 'Content-Type': type }))).toBe(
      '200',
    )
    expect(read('raw')).toBe(body)
  }
})

test('a form that arrives in pieces is read the same', async () => {
  const bytes = `--x\r\n${HEAD}\r\n\r\n${'ab\r\n-'.repeat(1000)}\r\n--x--\r\n`
  const pieces = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let at = 0; at < bytes.length; at += 7) {
        controller.enqueue(Buffer.from(bytes.slice(at, at + 7)))
        if (at % 700 === 0) await new Promise(setImmediate)
      }
      controller.close()
    },
  })
  expect(await outcome(send('POST', 'pieces', pieces, TYPED))).toBe('200')
  expect(read('pieces')).toBe('ab\r\n-'.repeat(1000))
})
