/** Modification times before 1970, after 2038, and beyond what a date can express. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'

const MS_1960 = -304_214_400_000
const SCAN = '1960-05-12T00:00:00.000Z'
const PLAN = '2050-06-01T12:00:00.000Z'
/** ext4 has times from December 1901 on. */
const OLD = '1905-01-01T00:00:00.000Z'

let app: TestApp
const top = temporaryFolder()
const root = join(top.path, 'root')
const disk = (...names: string[]) => join(root, ...names)

beforeAll(async () => {
  mkdirSync(root)
  const mounts = noMounts ? {} : { program: withMounts(root, [{ at: 'usb', sizeMiB: 8 }]) }
  app = await openTestApp({ root, ...mounts })
})
afterAll(async () => {
  await app.stop()
  top.remove()
})

/** Sets a time with a program, because the runtime takes negative times for the present. */
function dated(time: string, ...paths: string[]): void {
  const { exitCode } = Bun.spawnSync([
    'touch',
    '-h',
    '-d',
    time,
    ...paths.map((path) => disk(path)),
  ])
  expect(exitCode).toBe(0)
}

function scans(folder: string): void {
  mkdirSync(disk(folder, 'sub'), { recursive: true })
  for (const name of ['scan.jpg', 'sub/plan.txt', 'old']) writeFileSync(disk(folder, name), name)
  symlinkSync('scan.jpg', disk(folder, 'link'))
  dated(SCAN, `${folder}/scan.jpg`, `${folder}/link`)
  dated(PLAN, `${folder}/sub/plan.txt`)
  dated(OLD, `${folder}/old`)
  dated(SCAN, `${folder}/sub`)
}

/** As `dated`, in the mount, which only the server and its children see. */
function datedInMount(time: string, path: string): void {
  const inside = `/proc/${app.server.pid}/root${disk(path)}`
  const { exitCode, stderr } = Bun.spawnSync(['touch', '-d', time, inside])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

/** The entries below a folder as the server lists them, also in a mount that only the server sees. */
async function datesIn(folder: string): Promise<Record<string, string>> {
  const entries = await (await app.admin.call('GET', `${API.resources}/recursive/${folder}`)).json()
  return Object.fromEntries(
    entries.map(({ path, modified }: { path: string; modified: string }) => [
      path.slice(folder.length + 2),
      modified,
    ]),
  )
}

const ALL = { old: OLD, 'scan.jpg': SCAN, sub: SCAN, 'sub/plan.txt': PLAN }

describe('dates before 1970 and after 2038 stay', () => {
  const transfer = (from: string, to: string, action: string) =>
    app.admin.call(
      'PATCH',
      `${API.resources}/${from}?action=${action}&destination=${encodeURIComponent(`/${to}`)}`,
    )

  test('in a copy, by a request and by a job', async () => {
    scans('copied')
    expect(await outcome(transfer('copied', 'copy', 'copy'))).toBe('200')
    expect(await datesIn('copy')).toMatchObject(ALL)
    const job = await started(app.admin, {
      kind: 'copy',
      to: '/copies',
      items: [{ path: '/copied' }],
    })
    expect((await ended(app.admin, job.id)).state).toBe('done')
    expect(await datesIn('copies/copied')).toMatchObject(ALL)
  })

  test.skipIf(noMounts !== undefined)('in a move to another disk and back', async () => {
    scans('moved')
    expect(await outcome(transfer('moved', 'usb/moved', 'rename'))).toBe('200')
    expect(await datesIn('usb/moved')).toMatchObject(ALL)
    expect(existsSync(disk('moved'))).toBe(false)
    const job = await started(app.admin, {
      kind: 'move',
      to: '/back',
      items: [{ path: '/usb/moved' }],
    })
    expect((await ended(app.admin, job.id)).state).toBe('done')
    expect(await datesIn('back/moved')).toMatchObject(ALL)
    expect(lstatSync(disk('back/moved/link')).mtime.toISOString()).toBe(SCAN)
  })

  test('in an upload: by POST, by tus and in a batch', async () => {
    const times = { 'X-Modified': `${MS_1960}` }
    expect(await outcome(app.admin.call('POST', `${API.resources}/post.jpg`, 'x', times))).toBe(
      '200',
    )
    const tus = await app.admin.call('POST', `${API.tus}/tus.jpg`, undefined, {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '0',
      'Upload-Metadata': `lastModified ${btoa(`${MS_1960}`)}`,
    })
    expect(tus.status).toBe(201)
    const form = new FormData()
    form.append('info', JSON.stringify({ path: 'batch.jpg', size: 1, modified: MS_1960 }))
    form.append('file', new Blob(['x']))
    expect(await outcome(app.admin.call('POST', `${API.batch}/`, form))).toBe('200')
    const modified = ['post.jpg', 'tus.jpg', 'batch.jpg'].map((name) => [
      name,
      statSync(disk(name)).mtimeMs,
    ])
    expect(modified).toEqual(['post.jpg', 'tus.jpg', 'batch.jpg'].map((name) => [name, MS_1960]))
  })

  test.each(['zip', 'tar', 'tar.gz'])(
    'in a %s, and in what is extracted from it',
    async (ending) => {
      const folder = `in-${ending}`
      scans(folder)
      const packed = await started(app.admin, {
        kind: 'archive',
        to: `/made.${ending}`,
        items: [{ path: `/${folder}` }],
      })
      expect((await ended(app.admin, packed.id)).state).toBe('done')
      const job = await started(app.admin, {
        kind: 'extract',
        to: `/out-${ending}`,
        items: [{ path: `/made.${ending}` }],
      })
      expect((await ended(app.admin, job.id)).state).toBe('done')
      const { sub: _, ...files } = ALL
      expect(await datesIn(`out-${ending}`)).toMatchObject(files)
      const [program, ...args] = ending === 'zip' ? ['unzip', '-q', '-d'] : ['tar', '-C']
      const into = temporaryFolder()
      const archive = disk(`made.${ending}`)
      const command =
        ending === 'zip' ? [...args, into.path, archive] : [...args, into.path, '-xf', archive]
      const { exitCode } = Bun.spawnSync([program ?? '', ...command], {
        env: { TZ: 'UTC', ...process.env },
      })
      expect(exitCode).toBe(0)
      const [scan, plan] = ['scan.jpg', 'sub/plan.txt'].map((name) =>
        statSync(join(into.path, name)).mtime.toISOString(),
      )
      into.remove()
      expect(plan).toBe(PLAN)
      // unzip knows no time before 1980, also in archives that zip has made.
      if (ending !== 'zip') expect(scan).toBe(SCAN)
    },
  )

  test('in a tar of other programs, in the formats of GNU and of POSIX', async () => {
    scans('tarred')
    for (const format of ['gnu', 'pax']) {
      const { exitCode } = Bun.spawnSync([
        ...['tar', `--format=${format}`, '-C', disk('tarred')],
        ...['-cf', disk(`${format}.tar`), 'scan.jpg', 'old', 'sub'],
      ])
      expect(exitCode).toBe(0)
      const job = await started(app.admin, {
        kind: 'extract',
        to: `/from-${format}`,
        items: [{ path: `/${format}.tar` }],
      })
      expect((await ended(app.admin, job.id)).state).toBe('done')
      const { sub: _, ...files } = ALL
      expect(await datesIn(`from-${format}`)).toMatchObject(files)
    }
  })
})

test.skipIf(noMounts !== undefined)('an archive has times from 1601 to 9999', async () => {
  const times = ['1650-01-01T00:00:00.000Z', '1890-01-01T00:00:00.000Z', '2600-01-01T00:00:00.000Z']
  for (const [index, time] of times.entries()) {
    const name = `usb/times/${index}`
    expect(await outcome(app.admin.call('POST', `${API.resources}/${name}`, 'x'))).toBe('200')
    datedInMount(time, name)
  }
  for (const ending of ['zip', 'tar']) {
    const to = `/times.${ending}`
    const job = await started(app.admin, { kind: 'archive', to, items: [{ path: '/usb/times' }] })
    expect((await ended(app.admin, job.id)).state).toBe('done')
    const { items } = await (await app.admin.call('GET', `${API.archive}${to}`)).json()
    expect(items.map(({ modified }: { modified: string }) => modified)).toEqual(times)
  }
})

describe.skipIf(noMounts !== undefined)('a time that no date can express', () => {
  /** Beyond the year 275760, and beyond 2^63 nanoseconds. */
  const ABSURD = ['@9000000000000', '@9223372036854775', '@9223372036854775807', '@-9000000000000']

  test('stops neither trash nor versions, saving nor deleting', async () => {
    for (const [index, time] of ABSURD.entries()) {
      const name = `usb/absurd-${index}`
      expect(await outcome(app.admin.call('POST', `${API.resources}/${name}`, 'first'))).toBe('200')
      datedInMount(time, name)
      expect([
        time,
        await outcome(app.admin.call('PUT', `${API.resources}/${name}`, 'second')),
      ]).toEqual([time, '200'])
      expect([time, await outcome(app.admin.call('GET', `${API.versions}/${name}`))]).toEqual([
        time,
        '200',
      ])
      datedInMount(time, name)
      const listed = await app.admin.call('GET', `${API.resources}/${name}`)
      const { modified } = await listed.json()
      expect(modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const copy = `${API.resources}/${name}?action=copy&destination=${encodeURIComponent(`/copy-${index}`)}`
      expect([time, await outcome(app.admin.call('PATCH', copy))]).toEqual([time, '200'])
      expect([time, await outcome(app.admin.call('DELETE', `${API.resources}/${name}`))]).toEqual([
        time,
        '204',
      ])
      const trash = await app.admin.call('GET', API.trash)
      expect([time, trash.status]).toEqual([time, 200])
      expect(JSON.stringify(await trash.json())).not.toMatch(/"[+-]\d{6}-/)
    }
  })
})
