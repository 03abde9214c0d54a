/** Whose an upload is, how long it lives, and how many there may be. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type BrokenConnection, beginRequest, until } from '../support/server/broken-connection.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const TYPE = 'application/offset+octet-stream'
const LIMIT = 100_000

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--upload-limit', String(LIMIT)] })
})
afterAll(() => app.stop())

const create = (address: string, length = 4, who = app.anna, headers = {}) =>
  who.call('POST', `${API.tus}/${address}`, undefined, {
    'Upload-Length': String(length),
    ...headers,
  })
const send = (address: string, offset: number, body: BodyInit, who = app.anna) =>
  who.call('PATCH', `${API.tus}/${address}`, body, {
    'Upload-Offset': String(offset),
    'Content-Type': TYPE,
  })
const head = (address: string, who = app.anna) =>
  outcome(who.call('HEAD', `${API.tus}/${address}`)).then((answer) => answer.slice(0, 3))
const staged = () => readdirSync(join(app.root, '.filemgr/uploads'))

/** Changes the database behind the server's back. */
function inDatabase<T>(database: string, work: (db: Database) => T): T {
  const db = new Database(database)
  db.exec('PRAGMA busy_timeout = 5000')
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const rows = () =>
  inDatabase(app.database, (db) =>
    db.query<{ path: string }, []>('SELECT id, user_id, path FROM uploads').all(),
  )

describe('the id of an upload leads to it', () => {
  let id = ''
  beforeAll(async () => {
    await create('mine')
    // It is staged, and named by its id, with its first byte.
    await send('mine', 0, 'd')
    ;[id = ''] = staged()
    expect(id).not.toBe('')
  })

  test('the id of an upload leads its owner to it, at its path', async () => {
    expect(await head(`mine?upload=${id}`)).toBe('200')
  })

  test('the id of an upload is refused to another user with the same home folder', async () => {
    const ben = await app.person('ben', '--scope', '/anna')
    const address = `mine?upload=${id}`
    expect(await head(address, ben)).toBe('404')
    expect(await outcome(send(address, 0, 'evil', ben))).toBe('404 notFound')
    expect(await outcome(ben.call('DELETE', `${API.tus}/${address}`))).toBe('404 notFound')
    expect(await head('mine', ben)).toBe('404')
    expect(await head(`mine?upload=${id}`)).toBe('200')
  })

  test('the id of an upload leads to it at no other path', async () => {
    const address = `other?upload=${id}`
    expect(await head(address)).toBe('404')
    expect(await outcome(send(address, 0, 'evil'))).toBe('404 notFound')
    expect(await outcome(app.anna.call('DELETE', `${API.tus}/${address}`))).toBe('404 notFound')
    expect(await head(`mine?upload=${id}`)).toBe('200')
  })

  test('the id of an upload leads to it in no other served folder of the same database', async () => {
    expect(await head(`mine?upload=${id}`)).toBe('200')
    const root = temporaryFolder()
    mkdirSync(join(root.path, 'anna'))
    const other = await startServer({ root: root.path, database: app.database })
    const anna = await signIn(other.url, 'anna', PASSWORD)
    expect(await head(`mine?upload=${id}`, anna)).toBe('404')
    expect(await head('mine', anna)).toBe('404')
    await other.stop()
    root.remove()
    expect(await outcome(send('mine', 1, 'one'))).toBe('204')
  })
})

test('an upload that is not continued expires, and its bytes are deleted', async () => {
  const folder = temporaryFolder()
  const [root, database] = [join(folder.path, 'root'), join(folder.path, 'f.db')]
  mkdirSync(root)
  const start = () => startServer({ root, database, args: ['--upload-expiry', '1h'] })
  const first = await start()
  let admin = await signIn(first.url, 'admin', first.password)
  for (const name of ['young', 'old', 'forgotten']) {
    await create(name, 4, admin)
    await send(name, 0, 'so', admin)
  }
  const age = (name: string) =>
    inDatabase(database, (db) =>
      db
        .query('UPDATE uploads SET touched_ms = touched_ms - 3660000 WHERE path = ?')
        .run(`/${name}`),
    )
  age('old')
  expect(await outcome(send('old', 2, 'me', admin))).toBe('404 expired')
  expect(await head('old', admin)).toBe('404')
  age('forgotten')
  await first.stop()

  const second = await start()
  admin = await signIn(second.url, 'admin', first.password)
  expect(readdirSync(join(root, '.filemgr/uploads'))).toHaveLength(1)
  expect(await head('forgotten', admin)).toBe('404')
  expect(await outcome(send('young', 2, 'me', admin))).toBe('204')
  expect(readFileSync(join(root, 'young'), 'utf8')).toBe('some')
  await second.stop()
  folder.remove()
})

describe('there are only so many', () => {
  /** Unfinished uploads, as if this many had been begun. */
  function pretend(owner: string, count: number): void {
    inDatabase(app.database, (db) =>
      db.transaction(() => {
        const insert = db.query(
          `INSERT INTO uploads (id, root, user_id, path, overwrite, size_bytes, metadata, created_ms, touched_ms)
           VALUES (?, '/elsewhere', (SELECT id FROM users WHERE username = ?), ?, 0, 1, '{}', ?, ?)`,
        )
        for (let at = 0; at < count; at += 1) {
          insert.run(`pretended-${owner}-${at}`, owner, `/${at}`, Date.now(), Date.now())
        }
      })(),
    )
  }
  /** Deletes all unfinished uploads. @param last the one that was begun last; its row is written with those before */
  const forget = async (last?: string) => {
    await until(async () => !last || rows().some(({ path }) => path === `/${last}`))
    inDatabase(app.database, (db) =>
      db.exec("DELETE FROM uploads WHERE id LIKE 'pretended-%' OR handed_over = 0"),
    )
  }

  test('a user has a bounded number of unfinished uploads, and cancelling one makes room @limit-4', async () => {
    await create('first')
    pretend('anna', CONCURRENCY_LIMITS.uploads.perKey - 1)
    const before = rows().length
    const answer = await create('more')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(rows().length).toBe(before)
    expect(await outcome(create('by-another', 4, app.admin))).toBe('201')
    expect(await outcome(create('first?override=true'))).toBe('201')
    expect(await outcome(app.anna.call('DELETE', `${API.tus}/first`))).toBe('204')
    expect(await outcome(create('more'))).toBe('201')
    await forget('more')
  })

  test('all users together have a bounded number of unfinished uploads', async () => {
    pretend('admin', CONCURRENCY_LIMITS.uploads.all)
    expect(await outcome(create('beyond'))).toBe('503 unavailable')
    await forget()
    expect(await outcome(create('beyond'))).toBe('201')
  })

  test('a user has a bounded number of uploads that are sent at a time @limit-3', async () => {
    const { perKey: own } = CONCURRENCY_LIMITS.sending
    const lines: BrokenConnection[] = []
    for (let at = 0; at < own; at += 1) {
      await create(`slow ${at}`)
      const headers = { 'X-Auth': app.anna.token, 'Upload-Offset': '0', 'Content-Type': TYPE }
      const line = await beginRequest(
        app.url,
        `PATCH ${API.tus}/slow%20${at}`,
        { ...headers, 'Content-Length': '4' },
        'a',
      )
      lines.push(line)
    }
    await until(async () => (await head('none')) === '429')
    expect(await outcome(create('one more'))).toBe('429 tooMany')
    expect(await outcome(create('by-another', 4, app.admin))).toBe('201')
    for (const { cut } of lines) cut()
    await until(async () => (await outcome(create('one more'))) === '201')
  })

  test('the number of finished uploads that are remembered is bounded', async () => {
    pretend('anna', SERVER_LIMITS.finishedUploadsKept)
    inDatabase(app.database, (db) =>
      db.exec("UPDATE uploads SET handed_over = 1, touched_ms = 1 WHERE id LIKE 'pretended-%'"),
    )
    // The oldest ones are deleted at every hundredth upload.
    for (let number = 0; number < 100; number += 1) await create(`empty ${number}`, 0)
    const newest = (await create('newest')).headers.get('location') ?? ''
    expect(await outcome(send('newest', 0, 'done'))).toBe('204')
    const kept = inDatabase(app.database, (db) =>
      db
        .query(
          "SELECT id FROM uploads WHERE user_id = (SELECT id FROM users WHERE username = 'anna') AND handed_over = 1",
        )
        .all(),
    )
    expect(kept.length).toBeLessThanOrEqual(SERVER_LIMITS.finishedUploadsKept + 100)
    expect(kept.length).toBeGreaterThanOrEqual(SERVER_LIMITS.finishedUploadsKept)
    expect(await outcome(app.anna.call('HEAD', newest))).toBe('200')
    await forget()
  })

  test('the length of the metadata of an upload is bounded @limit-34', async () => {
    const words = (bytes: number) => ({ 'Upload-Metadata': `note ${'A'.repeat(bytes - 5)}` })
    // Base64 comes in fours.
    const most = SERVER_LIMITS.uploadMetadataMaxBytes - 3
    expect(await outcome(create('told', 4, app.anna, words(most)))).toBe('201')
    expect(await outcome(create('told2', 4, app.anna, words(most + 4)))).toBe('400 badRequest')
  })
})

describe('names in the metadata are names below the own top', () => {
  const named = (metadata: Record<string, string>) => {
    const header = Object.entries(metadata).map(([key, text]) => `${key} ${btoa(text)}`)
    return app.anna.call('POST', API.tus, undefined, {
      'Upload-Length': '0',
      'Upload-Metadata': header.join(','),
    })
  }
  test('a name in the metadata leads below the own top folder, whatever it looks like', async () => {
    for (const [name, becomes] of [
      ['//host/x', 'host/x'],
      ['//host:99999/x', 'host:99999/x'],
      ['http://host/x', 'http:/host/x'],
      ['//[', '['],
      ['\\\\host\\x', '\\\\host\\x'],
      ['?x', '?x'],
      ['a\r\nX: y', 'a\r\nX: y'],
    ] as const) {
      expect(await outcome(named({ filename: name }))).toBe('201')
      expect(readFileSync(join(app.root, 'anna', becomes), 'utf8')).toBe('')
    }
  })

  test('metadata with times that are none makes a file without that time', async () => {
    for (const time of ['1e300', '-1', 'NaN', 'Infinity', '9'.repeat(30), '0x10', '']) {
      expect(await outcome(named({ filename: `at ${time}`, lastModified: time }))).toBe('201')
    }
  })
})

describe('a body without a length is counted as it comes', () => {
  const endless = (bytes: number) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let sent = 0; sent < bytes; sent += 10_000) controller.enqueue(new Uint8Array(10_000))
        controller.close()
      },
    })
  const plain = (who: Client, method: string, name: string, bytes: number) =>
    outcome(who.call(method, `${API.resources}/${name}`, endless(bytes)))

  test('a body without a length is refused beyond the limit, in every way to upload @limit-29', async () => {
    writeFileSync(join(app.root, 'anna/saved'), 'old')
    expect(await plain(app.anna, 'POST', 'sent', LIMIT + 10_000)).toBe('413 tooLarge')
    expect(await plain(app.anna, 'PUT', 'saved', LIMIT + 10_000)).toBe('413 tooLarge')
    for (const target of [`POST ${API.resources}/sent`, `PUT ${API.resources}/saved`]) {
      const answer = { 'X-Auth': app.anna.token, 'Content-Length': String(LIMIT + 1) }
      const line = await beginRequest(app.url, target, answer)
      await line.receives(/^HTTP\/1\.1 413/)
      line.cut()
    }
    await create('tus', LIMIT)
    // A larger one to the same place is refused before it takes the place of this one.
    const larger = app.anna.call('POST', `${API.tus}/tus?override=true`, undefined, {
      'Upload-Length': String(LIMIT + 1),
    })
    expect(await outcome(larger)).toBe('413 tooLarge')
    expect(await outcome(send('tus', 0, endless(LIMIT + 10_000)))).toBe('413 tooLarge')
    expect(readFileSync(join(app.root, 'anna/saved'), 'utf8')).toBe('old')
    expect(readdirSync(join(app.root, 'anna'))).not.toContain('sent')
    expect(readdirSync(join(app.root, 'anna'))).not.toContain('tus')

    expect(await plain(app.anna, 'POST', 'sent', LIMIT)).toBe('200')
    expect(await plain(app.anna, 'PUT', 'saved', LIMIT)).toBe('200')
    expect(await outcome(send('tus', 0, endless(LIMIT)))).toBe('204')
  })
})
