/** Which staged files and rows unfinished uploads have, and when they are deleted. */
import { afterEach, beforeEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { markOfStaged } from '#server/files/uploads/finished-upload.ts'
import type { UploadContent } from '#server/files/uploads/staged-store.ts'
import { pathInMetadata } from '#server/files/uploads/upload-metadata.ts'
import { Uploads } from '#server/files/uploads/uploads.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { scopeOn } from '../../../support/files/archives.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { until } from '../../../support/server/broken-connection.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../../support/server/test-core.ts'
import { gate } from '../../../support/storage/gate.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'

const HOUR_MS = 60 * 60_000
const SESSION = 'session'
const MODIFIED_MS = 1_700_000_000_123

let core: TestCore
let folder: ReturnType<typeof temporaryFolder>
let uploads: Uploads
let storage: LocalStorage
let refusal: Fault | undefined
beforeEach(async () => {
  core = await temporaryCore()
  folder = temporaryFolder()
  refusal = undefined
  mkdirSync(disk(''))
  storage = await LocalStorage.open(disk(''), {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  await core.users.createHashed('anna', await Bun.password.hash('right', CHEAP))
  uploads = await Uploads.open(core.rows.uploads, {
    folder: storage.uploadsFolder,
    root: '/served',
    expiryMs: HOUR_MS,
    limitBytes: 0,
  })
})
afterEach(async () => {
  setSystemTime()
  await uploads.close()
  storage.close()
  await core.close()
  folder.remove()
})

const disk = (name: string) => join(folder.path, 'root', name)
const staged = (name: string) => join(storage.uploadsFolder, name)
const put = (name: string, ageMs = 0) => {
  writeFileSync(staged(name), 'bytes')
  const at = (Date.now() - ageMs) / 1000
  utimesSync(staged(name), at, at)
}
const begin = (id: string, touchedMs = Date.now(), hasPublicationBegun = false) =>
  core.rows.uploads.insert({
    id,
    root: '/served',
    userId: 1,
    path: parsePath(`/${id}`),
    overwrite: false,
    sizeBytes: 10,
    metadata: {},
    createdMs: touchedMs,
    touchedMs,
    isPathAmbiguous: false,
    hasPublicationBegun,
    unverifiedFrom: undefined,
    session: SESSION,
    published: '',
    holder: '',
  })

test('old staged bytes without a row in the database are deleted', async () => {
  put('fresh')
  put('old', 2 * HOUR_MS)
  await uploads.clean()
  expect([existsSync(staged('fresh')), existsSync(staged('old'))]).toEqual([true, false])
})

test('an unfinished upload is deleted with its bytes after its expiry, and not before', async () => {
  for (const id of ['fresh', 'old']) put(id)
  await begin('fresh')
  await begin('old', Date.now() - 2 * HOUR_MS)
  await uploads.clean()
  expect([existsSync(staged('fresh')), existsSync(staged('old'))]).toEqual([true, false])
  expect(await core.rows.uploads.find('old')).toBeUndefined()
  expect(await core.rows.uploads.find('fresh')).toBeDefined()
})

test('a folder with the name of a staged upload is not deleted', async () => {
  mkdirSync(staged('folder/inside'), { recursive: true })
  await begin('folder', Date.now() - 2 * HOUR_MS)
  await uploads.clean()
  expect(existsSync(staged('folder/inside'))).toBe(true)
})

const node = (name: string) => storage.stat(parsePath(`/${name}`))

/**
 * The scope of anna, whose changes fail with `refusal` if that is set.
 *
 * @param before runs before each change, as a command does
 */
function anna(before = async () => {}): Scope {
  const { actor } = scopeOn(storage, { perm: ['create', 'modify', 'download'] })
  return new Scope(storage, actor, NO_SHARES, async () => {
    await before()
    if (refusal) throw refusal
  })
}
const ADDRESS = { path: parsePath('/file'), id: undefined, session: SESSION }
const content = (body: string): UploadContent => ({
  announcedBytes: body.length,
  checksum: undefined,
  open: () => new Blob([body]).stream(),
})
const create = (sizeBytes: number, body?: string) =>
  uploads.create(
    anna(),
    { path: ADDRESS.path, overwrite: false, sizeBytes, metadata: {}, session: SESSION },
    body === undefined ? undefined : content(body),
  )
const send = (body: string) => uploads.append(anna(), ADDRESS, 0, content(body))
const askState = (id?: string) => uploads.state(anna(), { ...ADDRESS, id })
/** What the row stores before the name of the file changes. */
const publication = (published = '') => ({ touchedMs: Date.now(), session: SESSION, published })
const rows = () => core.rows.uploads.listByRoot('/served')
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )

test('staged files are readable only by the server', async () => {
  const { upload } = await create(5, 'by')
  expect(statSync(staged(upload.id)).mode & 0o777).toBe(0o600)
})

test('an empty upload that is refused leaves neither a row nor a staged file', async () => {
  refusal = new Fault('internal', 'no')
  expect(await code(create(0))).toBe('internal')
  expect([await rows(), readdirSync(storage.uploadsFolder)]).toEqual([[], []])
})

test('an upload that is refused at its end stays unfinished, and can succeed later', async () => {
  await create(5)
  refusal = new Fault('internal', 'no')
  expect(await code(send('bytes'))).toBe('internal')
  expect((await core.rows.uploads.countUnfinished(1)).ofUser).toBe(1)
  refusal = undefined
  expect(await code(askState())).toBe('no fault')
  expect((await core.rows.uploads.countUnfinished(1)).ofUser).toBe(0)
  expect(await Bun.file(disk('file')).text()).toBe('bytes')
})

test('an upload that a killed server had published is not published again', async () => {
  const { upload } = await create(5)
  writeFileSync(staged(upload.id), 'bytes')
  await core.rows.uploads.beginPublication(upload.id, publication())
  // It has a second name, whose content was changed since.
  linkSync(staged(upload.id), disk('renamed'))
  expect(await code(askState(upload.id))).toBe('notFound')
  expect(existsSync(disk('file'))).toBe(false)
  expect(existsSync(staged(upload.id))).toBe(false)
})

/** An upload whose publication a killed server had begun, as far as its row says. */
async function begunPublication(modifiedMs?: number): Promise<string> {
  const { path } = ADDRESS
  const metadata = modifiedMs === undefined ? {} : { lastModified: String(modifiedMs) }
  const wanted = { path, overwrite: false, sizeBytes: 5, metadata, session: SESSION }
  const { upload } = await uploads.create(anna(), wanted)
  writeFileSync(staged(upload.id), 'bytes')
  const mark = markOfStaged(statSync(staged(upload.id)), modifiedMs)
  await core.rows.uploads.beginPublication(upload.id, publication(mark))
  return upload.id
}

describe('an upload that was published right before the server was killed', () => {
  test.each([
    ['keeps its staged name for a moment', linkSync],
    ['has lost its staged name', renameSync],
  ])('an upload that was published before a kill is complete if it %s', async (_, publish) => {
    const id = await begunPublication()
    publish(staged(id), disk('file'))
    expect(await askState(id)).toMatchObject({ offset: 5, version: (await node('file')).version })
    expect(await code(uploads.state(anna(), { ...ADDRESS, id, session: 'another' }))).toBe(
      'notFound',
    )
    expect(await code(askState())).toBe('notFound')
  })

  test('an upload with a modification time that was published before a kill is complete', async () => {
    const id = await begunPublication(MODIFIED_MS)
    renameSync(staged(id), disk('file'))
    expect(await code(askState(id))).toBe('notFound')
    utimesSync(disk('file'), MODIFIED_MS / 1000, MODIFIED_MS / 1000)
    expect((await askState(id)).offset).toBe(5)
  })

  test.each([
    ['longer', () => writeFileSync(disk('file'), 'other bytes')],
    ['newer', () => utimesSync(disk('file'), 1, 1)],
    [
      'another one with the same size and time',
      () => {
        const { atimeMs, mtimeMs } = statSync(disk('file'))
        writeFileSync(disk('other'), 'other')
        utimesSync(disk('other'), atimeMs / 1000, mtimeMs / 1000)
        renameSync(disk('other'), disk('file'))
      },
    ],
  ])(
    'an upload that was published before a kill is not reported if the file is %s',
    async (_, change) => {
      const id = await begunPublication()
      renameSync(staged(id), disk('file'))
      await change()
      expect(await code(askState(id))).toBe('notFound')
    },
  )

  test('an upload whose staged bytes were lost before its publication is not reported as complete', async () => {
    const id = await begunPublication()
    rmSync(staged(id))
    expect(await code(askState(id))).toBe('notFound')
    writeFileSync(disk('file'), 'older')
    // It may have the inode that has become free, in the same millisecond.
    utimesSync(disk('file'), 1, 1)
    expect(await code(askState(id))).toBe('notFound')
  })
})

test('an upload that a killed server was about to publish is published by the next one', async () => {
  const { upload } = await create(5)
  writeFileSync(staged(upload.id), 'bytes')
  await core.rows.uploads.writeRows()
  expect(await core.rows.uploads.hold(upload.id, { holder: 'killed.1', from: '' })).toBe(true)
  expect((await askState(upload.id)).hasPublished).toBe(true)
  expect(await Bun.file(disk('file')).text()).toBe('bytes')
})

test('an upload whose file is published although a command failed is complete', async () => {
  const { upload } = await create(5)
  const scope = new Scope(storage, anna().actor, NO_SHARES, async ({ hook }) => {
    if (hook === 'after_upload') throw new Fault('internal', 'no')
  })
  expect(await code(uploads.append(scope, ADDRESS, 0, content('bytes')))).toBe('internal')
  expect(await Bun.file(disk('file')).text()).toBe('bytes')
  expect((await askState(upload.id)).offset).toBe(5)
  expect(await code(askState())).toBe('notFound')
})

test('a finished upload is complete although its version cannot be stored', async () => {
  const { upload } = await create(5)
  spyOn(core.rows.uploads, 'setPublished').mockRejectedValue(new Error('The disk is full.'))
  expect((await send('bytes')).hasPublished).toBe(true)
  expect((await askState(upload.id)).offset).toBe(5)
})

test('a finished upload is not reported to a user who may no longer see its file', async () => {
  const { upload } = await create(5)
  await send('bytes')
  const rules = [{ allow: false, regex: false, path: '/file', regexp: { raw: '' } }]
  const { actor } = scopeOn(storage, { perm: ['create'] })
  const scope = new Scope(storage, { ...actor, rules }, NO_SHARES, async () => {})
  expect(await code(uploads.state(scope, { ...ADDRESS, id: upload.id }))).toBe('notFound')
  expect((await askState(upload.id)).offset).toBe(5)
})

test('the row of a running publication is kept, however many newer uploads finish', async () => {
  await create(5)
  const { opened, open } = gate()
  const sending = uploads.append(
    anna(() => opened),
    ADDRESS,
    0,
    content('bytes'),
  )
  await until(async () => (await rows())[0]?.hasPublicationBegun === true)
  const [slow] = await rows()
  const later = Date.now() + 1000
  for (let at = 0; at < SERVER_LIMITS.finishedUploadsKept; at += 1)
    await begin(`finished-${at}`, later, true)
  // The oldest rows are deleted at every hundredth upload.
  for (let at = 0; at < 100; at += 1) {
    const path = parsePath(`/empty-${at}`)
    const wanted = { path, overwrite: false, sizeBytes: 0, metadata: {}, session: SESSION }
    await uploads.create(anna(), wanted)
  }
  expect(await rows()).toHaveLength(SERVER_LIMITS.finishedUploadsKept + 1)
  expect(await core.rows.uploads.find(slow?.id ?? '')).toBeDefined()
  open()
  expect((await sending).offset).toBe(5)
  expect((await askState(slow?.id)).offset).toBe(5)
})

test('an upload without a path needs a file name', () => {
  for (const metadata of [{}, { filename: '' }, { filename: '/' }, { filename: null }]) {
    expect(() => pathInMetadata(metadata)).toThrow('must contain a filename')
  }
})

test('the expiry of an upload counts from the end of its last request, also of a broken one', async () => {
  await create(10)
  let sent = 0
  const broken: UploadContent = {
    announcedBytes: 10,
    checksum: undefined,
    open: () =>
      new ReadableStream({
        pull(controller) {
          sent += 1
          if (sent === 1) return controller.enqueue(new TextEncoder().encode('first'))
          setSystemTime(new Date(Date.now() + 2 * HOUR_MS))
          controller.error(new Error('The connection is broken.'))
        },
      }),
  }
  await expect(uploads.append(anna(), ADDRESS, 0, broken)).rejects.toThrow('is broken')
  expect((await uploads.state(anna(), ADDRESS)).offset).toBe(5)
})
