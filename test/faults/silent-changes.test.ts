/** A mount below the root that falls silent in the middle of a change: the server goes on, and nothing is lost. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)

const TIMEOUT_MS = 180_000
const FILES = 400
const RESUMABLE = { 'Tus-Resumable': '1.0.0' }
const OFFSET = 'application/offset+octet-stream'

describe.skipIf(refusal !== undefined)('a mount that falls silent during a change', () => {
  const mount = new SilentMount('nas')
  const folder = temporaryFolder()
  const database = join(folder.path, 'filemgr.db')
  let server: TestServer
  let admin: Client

  const start = async () => {
    server = await startServer({ root: mount.root, program: mount.program, database })
    admin = await signIn(server.url, 'admin', PASSWORD)
  }
  beforeAll(async () => {
    writeFileSync(join(mount.root, 'here.txt'), 'here')
    writeFileSync(mount.remote('steady.txt'), 'steady')
    await mount.open()
    await start()
  }, TIMEOUT_MS)
  afterAll(async () => {
    mount.wake()
    await server?.stop()
    mount.remove()
    folder.remove()
  }, TIMEOUT_MS)

  /** What touches the root's file system only. */
  const everythingElse = async () => {
    expect(await outcome(anonymous(server.url).call('GET', API.health))).toBe('200')
    expect(await outcome(anonymous(server.url).call('GET', API.ready))).toBe('200')
    expect((await signIn(server.url, 'admin', PASSWORD)).token).not.toBe('')
    const here = await admin.call('GET', `${API.raw}/here.txt`)
    expect(await here.text()).toBe('here')
    expect(await outcome(admin.call('POST', `${API.resources}/x.txt`, 'x'))).toBe('200')
    expect(await outcome(admin.call('DELETE', `${API.resources}/x.txt`))).toBe('204')
  }
  const get = (path: string) => admin.call('GET', `${API.raw}${path}`)
  /** The paths of the changes in the journal. */
  const paths = async () => {
    const entries = (await (await admin.call('GET', API.journal)).json()) as { path: string }[]
    return entries.map(({ path }) => path)
  }
  /** Waits for reads and, which may take a second longer, for changes. */
  const answers = async () => {
    const steady = `${API.resources}/nas/steady.txt?override=true`
    await eventually(async () => (await get('/nas/steady.txt')).status === 200)
    await eventually(async () => (await admin.call('POST', steady, 'steady')).status === 200)
  }
  /** Whether no file of the server is on the mount, except its trash. */
  const isTidy = () => !existsSync(mount.remote('.filemgr', 'work'))

  test(
    'in the middle of a save takes nothing from the file and leaves nothing beside it @limit-92',
    async () => {
      writeFileSync(mount.remote('kept.txt'), 'the old content')
      for (const method of ['POST', 'PUT']) {
        const path = method === 'PUT' ? '/nas/kept.txt' : '/nas/new.txt'
        const body = new HeldBody()
        const saved = admin.call(method, `${API.resources}${path}`, body.stream)
        body.send('the first half')
        await eventually(() => stagedBytes(mount) > 0)
        mount.silence()
        body.end('the second half')
        await everythingElse()
        const answer = await saved
        expect([answer.status, await answer.text()]).toEqual([
          503,
          'This disk does not respond. The change may still be made when it responds again.\n',
        ])
        await everythingElse()
        mount.wake()
        await answers()
        await eventually(isTidy)
        const content = readFileSync(mount.remote('kept.txt'), 'utf8')
        expect(['the old content', 'the first halfthe second half']).toContain(content)
        const isMade =
          method === 'PUT' ? content !== 'the old content' : existsSync(mount.remote('new.txt'))
        // The journal finds out, and has the change if it was made.
        await eventually(async () => (await paths()).includes(path) === isMade)
        if (existsSync(mount.remote('new.txt'))) {
          expect(readFileSync(mount.remote('new.txt'), 'utf8')).toBe(
            'the first halfthe second half',
          )
        }
      }
    },
    TIMEOUT_MS,
  )

  test(
    'at the end of an upload leaves it unfinished, and it is finished later',
    async () => {
      const created = await admin.call('POST', `${API.tus}/nas/up.bin`, undefined, {
        ...RESUMABLE,
        'Upload-Length': '10',
      })
      const address = created.headers.get('Location') ?? ''
      const patch = (offset: number, text: string) =>
        admin.call('PATCH', address, text, {
          ...RESUMABLE,
          'Upload-Offset': `${offset}`,
          'Content-Type': OFFSET,
        })
      expect((await patch(0, '01234')).status).toBe(204)
      mount.silence()
      const last = patch(5, '56789')
      await everythingElse()
      expect((await last).status).toBe(503)
      await everythingElse()
      mount.wake()
      await answers()
      await eventually(isTidy)
      const status = (await patch(10, '')).status
      expect([204, 404]).toContain(status)
      await eventually(() => existsSync(mount.remote('up.bin')))
      expect(readFileSync(mount.remote('up.bin'), 'utf8')).toBe('0123456789')
    },
    TIMEOUT_MS,
  )

  test(
    'during removals keeps each file in its folder or in the trash',
    async () => {
      const names = Array.from({ length: FILES }, (_, number) => `r${number}.txt`)
      for (const name of names) writeFileSync(mount.remote(name), name)
      const removing = names.map((name) => admin.call('DELETE', `${API.resources}/nas/${name}`))
      await eventually(() => names.some((name) => !existsSync(mount.remote(name))))
      mount.silence()
      await everythingElse()
      for (const answer of await Promise.all(removing)) expect([204, 503]).toContain(answer.status)
      await everythingElse()
      mount.wake()
      await answers()
      await eventually(isTidy)
      const trash = mount.remote('.filemgr', trashIn(mount))
      const kept = readdirSync(trash).map((name) => readFileSync(join(trash, name), 'utf8'))
      const left = names.filter((name) => existsSync(mount.remote(name)))
      expect([...kept.filter((text) => /^r\d+\.txt$/.test(text)), ...left].sort()).toEqual(
        names.toSorted(),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'during a move from the root leaves the folder complete in one of the two places',
    async () => {
      const source = join(mount.root, 'tree')
      mkdirSync(source)
      for (let number = 0; number < FILES; number += 1)
        writeFileSync(join(source, `${number}.txt`), `content ${number}`)
      const moving = admin.call(
        'PATCH',
        `${API.resources}/tree?action=rename&destination=/nas/tree`,
      )
      await eventually(() => stagedFiles(mount) > 10)
      mount.silence()
      await everythingElse()
      expect((await moving).status).toBe(503)
      await everythingElse()
      mount.wake()
      await answers()
      await eventually(isTidy)
      await eventually(() => existsSync(source) !== existsSync(mount.remote('tree')))
      const complete = existsSync(source) ? source : mount.remote('tree')
      const contents = readdirSync(complete).map((name) =>
        readFileSync(join(complete, name), 'utf8'),
      )
      expect(contents.sort()).toEqual(
        Array.from({ length: FILES }, (_, number) => `content ${number}`).sort(),
      )
    },
    TIMEOUT_MS,
  )

  test(
    'during a stop and a start hinders neither',
    async () => {
      writeFileSync(mount.remote('gone.txt'), 'gone')
      const body = new HeldBody()
      // The stop ends the connection, which this client does not notice.
      void admin.call('POST', `${API.resources}/nas/lost.txt`, body.stream).catch(() => undefined)
      body.send('the first half')
      await eventually(() => stagedBytes(mount) > 0)
      expect(await outcome(admin.call('DELETE', `${API.resources}/nas/gone.txt`))).toBe('204')
      mount.silence()
      expect(await server.stop()).toBe(0)
      await start()
      await everythingElse()
      mount.wake()
      await answers()
      expect(existsSync(mount.remote('lost.txt'))).toBe(false)
      // Wherever the stop interrupts the server, the next one need not wait ten minutes for a heartbeat.
      await server.stop()
      await start()
      await eventually(isTidy)
    },
    TIMEOUT_MS,
  )

  for (const pauseMs of [0, 900, 1000, 1100]) {
    test(
      `while the trash is measured stops no request (${pauseMs} ms after a removal)`,
      async () => {
        const name = `t${pauseMs}.txt`
        writeFileSync(mount.remote(name), name)
        expect(await outcome(admin.call('DELETE', `${API.resources}/nas/${name}`))).toBe('204')
        await Bun.sleep(pauseMs)
        mount.silence()
        try {
          for (let call = 0; call < 5; call += 1) {
            await everythingElse()
            await Bun.sleep(300)
          }
          const trash = await admin.call('GET', API.trash)
          expect([trash.status, await trash.text()]).toEqual([200, expect.stringContaining(name)])
        } finally {
          mount.wake()
        }
        await answers()
      },
      TIMEOUT_MS,
    )
  }
})

/** The body of a request, sent when the test says so. */
class HeldBody {
  readonly stream: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor() {
    this.stream = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
      },
    })
  }

  send(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text))
  }

  end(text: string): void {
    try {
      if (text) this.send(text)
      this.#controller?.close()
    } catch {
      // The server has ended the request.
    }
  }
}

/** The paths of the files that the server has staged on the mount. */
function stagedOn(mount: SilentMount): string[] {
  const work = mount.remote('.filemgr', 'work')
  if (!existsSync(work)) return []
  return readdirSync(work, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('heartbeat'))
    .map(({ parentPath, name }) => join(parentPath, name))
}

function stagedFiles(mount: SilentMount): number {
  return stagedOn(mount).length
}

function stagedBytes(mount: SilentMount): number {
  return stagedOn(mount).reduce((sum, path) => sum + statSync(path).size, 0)
}

function trashIn(mount: SilentMount): string {
  return readdirSync(mount.remote('.filemgr')).find((name) => /^trash-[0-9a-f]+$/.test(name)) ?? ''
}

/** Waits until something is so. */
async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}
