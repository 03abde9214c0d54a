/** What lies in the folder of unfinished uploads, and when it goes. */
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Uploads } from '#server/files/uploads.ts'
import { parsePath } from '#wire/paths.ts'
import { CHEAP, type OpenedOffice, temporaryOffice } from '../../support/people.ts'
import { temporaryFolder } from '../../support/tree.ts'

const HOUR_MS = 60 * 60_000

let office: OpenedOffice
let folder: ReturnType<typeof temporaryFolder>
let uploads: Uploads
beforeEach(async () => {
  office = temporaryOffice()
  folder = temporaryFolder()
  office.users.createHashed('anna', await Bun.password.hash('right', CHEAP))
  uploads = new Uploads(office.rows.uploads, {
    folder: folder.path,
    root: '/served',
    expiryMs: HOUR_MS,
    limitBytes: 0,
  })
})
afterEach(() => {
  setSystemTime()
  uploads.close()
  office.close()
  folder.remove()
})

const staged = (name: string) => join(folder.path, name)
const put = (name: string, ageMs = 0) => {
  writeFileSync(staged(name), 'bytes')
  const at = (Date.now() - ageMs) / 1000
  utimesSync(staged(name), at, at)
}
const begin = (id: string, touchedMs = Date.now()) =>
  office.rows.uploads.insert({
    id,
    root: '/served',
    userId: 1,
    path: parsePath(`/${id}`),
    overwrite: false,
    sizeBytes: 10,
    metadata: {},
    createdMs: touchedMs,
    touchedMs,
    contested: false,
    handedOver: false,
    unverifiedFrom: undefined,
  })

test('bytes of which the database knows nothing go when they are old', () => {
  put('fresh')
  put('old', 2 * HOUR_MS)
  uploads.clean()
  expect([existsSync(staged('fresh')), existsSync(staged('old'))]).toEqual([true, false])
})

test('an upload goes with its bytes when nobody came back for it, and not before', () => {
  for (const id of ['fresh', 'old']) put(id)
  begin('fresh')
  begin('old', Date.now() - 2 * HOUR_MS)
  uploads.clean()
  expect([existsSync(staged('fresh')), existsSync(staged('old'))]).toEqual([true, false])
  expect(office.rows.uploads.find('old')).toBeUndefined()
  expect(office.rows.uploads.find('fresh')).toBeDefined()
})

test('a folder in the place of an upload is somebody else’s, and stays', () => {
  mkdirSync(staged('folder/inside'), { recursive: true })
  begin('folder', Date.now() - 2 * HOUR_MS)
  uploads.clean()
  expect(existsSync(staged('folder/inside'))).toBe(true)
})
