/** File systems in user space: uploads, saves and renames succeed, or are refused with the reason. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { parsePath } from '#wire/paths.ts'
import { zipOf } from '../support/files/made-archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { ended, planned, started } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { type FuseKind, noFuse, withFuse } from '../support/system/fuse.ts'
import { JuiceVolume, noJuiceFs } from '../support/system/juicefs.ts'
import { seenBy, withMounts } from '../support/system/mounts.ts'
import { momentOf, undoBackTo } from './undoing.ts'

interface ServedRoot {
  app: TestApp
  /** The path of a file of `anna`, as the server sees it. */
  disk(name: string): string
}

/** Runs the tests with a server whose root is such a file system. */
function describeOn(kind: FuseKind, tests: (served: ServedRoot) => void): void {
  const refusal = noFuse(kind)
  if (refusal) process.stdout.write(`${refusal}\n`)
  describe.skipIf(refusal !== undefined)(kind, () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    let app: TestApp
    beforeAll(async () => {
      mkdirSync(root)
      app = await openTestApp({ root, program: withFuse(kind, root) })
      mkdirSync(seenBy(app.server.pid, join(root, 'anna')), { recursive: true })
    }, 60_000)
    afterAll(async () => {
      await app?.stop()
      folder.remove()
    })
    tests({
      get app() {
        return app
      },
      disk: (name) => seenBy(app.server.pid, join(root, 'anna', name)),
    })
  })
}

const HOUR_MS = 3_600_000
const oldMs = () => Date.now() - HOUR_MS

async function upload(
  client: Client,
  path: string,
  content: string,
  modifiedMs: number,
): Promise<string> {
  const created = await client.call('POST', `${API.tus}${path}?override=true`, undefined, {
    'Upload-Length': String(content.length),
    'Upload-Metadata': `lastModified ${btoa(String(modifiedMs))}`,
  })
  if (created.status !== 201) return outcome(Promise.resolve(created))
  return outcome(
    client.call('PATCH', created.headers.get('location') ?? '', content, {
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    }),
  )
}

for (const kind of ['sshfs', 'exfat', 'rclone'] as const) {
  describeOn(kind, (served) => {
    const { disk } = served
    const saved = (name: string) => readFileSync(disk(name), 'utf8')

    test('a file is saved several times in a second', async () => {
      const { anna } = served.app
      expect(await outcome(anna.call('POST', `${API.resources}/saved.txt`, 'start'))).toBe('200')
      for (const content of ['first', 'other', 'third', 'last.']) {
        expect(await outcome(anna.call('PUT', `${API.resources}/saved.txt`, content))).toBe('200')
        expect(saved('saved.txt')).toBe(content)
      }
    })

    test('a file is replaced by one with the same modification time', async () => {
      const { anna } = served.app
      const modifiedMs = oldMs()
      const send = (content: string) =>
        anna.call('POST', `${API.resources}/photo.jpg?override=true`, content, {
          'X-Modified': String(modifiedMs),
        })
      for (const content of ['first', 'other', 'third']) {
        expect(await outcome(send(content))).toBe('200')
        expect(saved('photo.jpg')).toBe(content)
      }
      expect(await upload(anna, '/photo.jpg', 'again', modifiedMs)).toBe('204')
      expect(saved('photo.jpg')).toBe('again')
    })

    test('small and large files are uploaded, and replaced', async () => {
      const { anna } = served.app
      for (const content of ['small', 'other', 'x'.repeat(2 ** 20 + 1)]) {
        expect(await upload(anna, '/uploaded', content, oldMs())).toBe('204')
        expect(saved('uploaded')).toBe(content)
      }
    })

    // rclone cannot read a file for a moment after the folder around it got another name.
    test.skipIf(kind === 'rclone')('files and folders are copied, moved and deleted', async () => {
      const { anna } = served.app
      mkdirSync(disk('tree/inner'), { recursive: true })
      writeFileSync(disk('tree/inner/leaf'), 'leaf')
      const change = (action: string, from: string, to: string) =>
        outcome(anna.call('PATCH', `${API.resources}/${from}?action=${action}&destination=/${to}`))
      expect(await change('copy', 'tree', 'copied')).toBe('200')
      expect(saved('copied/inner/leaf')).toBe('leaf')
      expect(await change('rename', 'copied', 'moved')).toBe('200')
      expect(saved('moved/inner/leaf')).toBe('leaf')
      expect(await outcome(anna.call('DELETE', `${API.resources}/moved`))).toBe('204')
      expect(existsSync(disk('moved'))).toBe(false)
    })
  })
}

const noJuice = noJuiceFs()
if (noJuice) process.stdout.write(`${noJuice}\n`)

// JuiceFS sets the time of a file when it stores the bytes, and the kernel remembers the time before for a second.
test.skipIf(noJuice !== undefined)(
  'changes are undone on a file system whose times are remembered',
  async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const volume = new JuiceVolume()
    const content = volume.mount(1)
    const app = await openTestApp({
      root,
      program: withMounts(root, [{ at: '', folder: content }]),
    })
    try {
      const { anna } = app
      const moments = [await momentOf(anna, content)]
      const change = async (method: string, path: string, body?: string) => {
        expect((await anna.call(method, API.resources + path, body)).ok).toBe(true)
        moments.push(await momentOf(anna, content))
      }
      await change('POST', '/file', 'new')
      await change('PUT', '/file', 'saved')
      expect(await upload(anna, '/uploaded', 'x'.repeat(2 ** 20 + 1), oldMs())).toBe('204')
      await change('PATCH', '/uploaded?action=copy&destination=/copied')
      await change('PATCH', '/file?action=rename&destination=/moved')
      await change('DELETE', '/copied')
      await change('POST', '/file?override=true', 'replaced')
      const { undone, wrong } = await undoBackTo(moments, anna, content)
      expect(wrong).toEqual([])
      expect(undone).toBe(7)
    } finally {
      await app.stop()
      volume.remove()
      folder.remove()
    }
  },
  60_000,
)

describeOn('exfat', (served) => {
  const { disk } = served
  const call = (method: string, path: string, body?: string) =>
    outcome(served.app.anna.call(method, API.resources + path, body))
  const rename = (from: string, to: string) =>
    call('PATCH', `/${from}?action=rename&destination=/${encodeURIComponent(to)}`)

  test('names that it does not accept are refused with the reason', async () => {
    writeFileSync(disk('source'), 'source')
    mkdirSync(disk('folder'))
    for (const name of ['a:b.txt', 'q?.txt', 'x\\y']) {
      const path = `/${encodeURIComponent(name)}`
      const copy = `/source?action=copy&destination=${encodeURIComponent(path)}`
      expect([name, await call('POST', path, 'content')]).toEqual([name, '400 badRequest'])
      expect([name, await call('POST', `${path}/`)]).toEqual([name, '400 badRequest'])
      expect([name, await call('PATCH', copy)]).toEqual([name, '400 badRequest'])
      expect([name, await rename('source', name)]).toEqual([name, '400 badRequest'])
      expect([name, await rename('folder', name)]).toEqual([name, '400 badRequest'])
      expect([name, await upload(served.app.anna, path, 'content', oldMs())]).toEqual([
        name,
        '400 badRequest',
      ])
    }
    expect(readFileSync(disk('source'), 'utf8')).toBe('source')
    expect(existsSync(disk('folder'))).toBe(true)
    expect(await call('POST', '/missing/new.txt', 'content')).not.toBe('400 badRequest')
  })

  test('a listing says that the disk ignores the case of names', async () => {
    mkdirSync(disk('folding'))
    const listed = async () =>
      (await served.app.anna.call('GET', `${API.resources}/folding/`)).json()
    expect(await listed()).not.toHaveProperty('foldsCase')
    writeFileSync(disk('folding/a.txt'), 'a')
    expect(await listed()).toMatchObject({ foldsCase: true })
  })

  test('a rename changes the case of a name', async () => {
    writeFileSync(disk('photo.txt'), 'photo')
    mkdirSync(disk('album'))
    writeFileSync(disk('album/leaf'), 'leaf')
    expect(await rename('photo.txt', 'PHOTO.TXT')).toBe('200')
    expect(await rename('album', 'Album')).toBe('200')
    const names = readdirSync(disk(''))
    expect(names).toContain('PHOTO.TXT')
    expect(names).toContain('Album')
    expect(readFileSync(disk('Album/leaf'), 'utf8')).toBe('leaf')
  })

  test('an extraction compares names without case', async () => {
    const { anna } = served.app
    mkdirSync(disk('to'))
    writeFileSync(disk('to/Name.txt'), 'old')
    const names = ['NAME.TXT', 'twin', 'Twin']
    writeFileSync(disk('names.zip'), zipOf(...names.map((name) => ({ name, content: name }))))
    const items = [{ path: parsePath('/names.zip'), decision: 'replace' as const }]
    const request = { kind: 'extract' as const, items, to: parsePath('/to') }
    const { taken, refused } = await planned(anna, request)
    expect([taken, refused]).toEqual([1, 1])
    const job = await started(anna, request)
    const { problems } = await ended(anna, job.id)
    expect(problems.map(({ part }) => part)).toEqual(['Twin'])
    expect(readdirSync(disk('to')).toSorted()).toEqual(['Name.txt', 'twin'])
    expect(readFileSync(disk('to/Name.txt'), 'utf8')).toBe('NAME.TXT')
    expect(readFileSync(disk('to/twin'), 'utf8')).toBe('twin')
  })

  test('a rule holds for every spelling of a path', async () => {
    mkdirSync(disk('secret'))
    writeFileSync(disk('secret/plan.txt'), 'plan')
    await served.app.runCommand('rules', 'add', '/secret', '--user', 'anna')
    const anna = await signIn(served.app.url, 'anna', PASSWORD)
    for (const path of ['/secret/plan.txt', '/SECRET/plan.txt', '/Secret/PLAN.txt']) {
      const answer = await outcome(anna.call('GET', API.raw + path))
      expect([path, answer]).toEqual([path, '403 forbidden'])
    }
  })
})
