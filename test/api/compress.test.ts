/** Archives made by jobs: the new file is complete, or does not exist. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Decision, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { FORMAT_NAMES, namesIn } from '../support/files/archives.ts'
import { outcome } from '../support/server/client.ts'
import { writeEndless } from '../support/server/endless.ts'
import { control, ended, planned, started, until } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 1024 * 1024

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  put('src/a', 'a')
  put('src/deep/b', 'bb')
  put('other', 'other')
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(disk(path, '..'), { recursive: true })
  writeFileSync(disk(path), content)
}

const making = (to: string, decision: Decision = 'refuse', ...paths: string[]): JobRequest => ({
  kind: 'archive',
  items: paths.map((path) => ({ path, decision })),
  to,
})

test('several entries are compressed into one archive, in each format, and this is undone @spec-7.56', async () => {
  for (const format of FORMAT_NAMES) {
    const name = `made.${format.replace(/^tar(.)/, 'tar.$1')}`
    const request = making(`/${name}`, 'refuse', '/src', '/other')
    const plan = await planned(app.anna, request)
    expect(plan).toMatchObject({ files: 3, folders: 2, bytes: 8, taken: 0, refused: 0 })
    const { id } = await started(app.anna, request)
    const { state, entries, items } = await ended(app.anna, id)
    expect([name, state, entries.length, items]).toEqual([name, 'done', 1, 2])
    expect(await namesIn(format, readFileSync(disk(name)))).toEqual(
      ['other', 'src/', 'src/a', 'src/deep/', 'src/deep/b'].sort(),
    )
    const undone = app.anna.call('POST', `${API.journal}/undo`, { id: entries[0] })
    expect(await outcome(undone)).toBe('200')
    expect(existsSync(disk(name))).toBe(false)
  }
}, 60_000)

test('an archive with a taken name is kept beside the other file, replaces it, or is refused', async () => {
  for (const [decision, size, found] of [
    ['keepBoth', 3, ['taken(1).zip', 'taken.zip']],
    ['replace', 0, ['taken.zip']],
    ['refuse', 3, ['taken.zip']],
  ] as const) {
    put(`${decision}/taken.zip`, 'old')
    const request = making(`/${decision}/taken.zip`, decision, '/src')
    expect((await planned(app.anna, request)).taken).toBe(1)
    const { failed } = await ended(app.anna, (await started(app.anna, request)).id)
    expect(failed).toBe(decision === 'refuse' ? 1 : 0)
    expect(readdirSync(disk(decision)).sort()).toEqual([...found])
    if (size > 0) expect(readFileSync(disk(decision, 'taken.zip'), 'utf8')).toBe('old')
  }
})

test('a user without the right to create, or to download, compresses nothing', async () => {
  for (const right of ['create', 'download']) {
    const who = await app.person(
      `no-${right}`,
      '--scope',
      '/anna',
      '--perm.share=false',
      `--perm.${right}=false`,
    )
    const plan = await planned(who, making(`/${right}.zip`, 'refuse', '/src'))
    expect([plan.refused, plan.items[0]?.problem]).toEqual([
      1,
      'You do not have permission to do this.',
    ])
    const { id } = await started(who, making(`/${right}.zip`, 'refuse', '/src'))
    await ended(who, id)
    expect(existsSync(disk(`${right}.zip`))).toBe(false)
  }
})

test('an archive of an unknown format or in a missing folder is refused', async () => {
  const ask = (to: string) => outcome(app.anna.call('POST', API.jobs, making(to, 'refuse', '/src')))
  expect(await ask('/made.txt')).toBe('400 badRequest')
  expect(await ask('/nowhere/made.zip')).toBe('404 notFound')
})

test('a cancelled archive leaves nothing @spec-7.56', async () => {
  for (let at = 0; at < 24; at += 1) put(`much/${at}`, randomBytes(8 * MIB))
  const { id } = await started(app.anna, making('/stopped.tar.xz', 'refuse', '/much'))
  await until(app.anna, id, ({ bytesDone }) => bytesDone > 0)
  expect(await outcome(control(app.anna, id, 'cancel'))).toBe('200')
  expect((await ended(app.anna, id)).state).toBe('cancelled')
  expect(existsSync(disk('stopped.tar.xz'))).toBe(false)
}, 60_000)

test('an archive job fails when its user loses the right to download', async () => {
  mkdirSync(disk('endless'))
  writeEndless(disk('endless/zero'))
  const reader = await app.person('reader', '--scope', '/anna')
  const { id } = await started(reader, making('/endless.tar.gz', 'refuse', '/endless'))
  await until(reader, id, ({ bytesDone }) => bytesDone > 0)
  await app.runCommand('users', 'update', 'reader', '--perm.download=false', '--perm.share=false')
  const { state, reason } = await until(app.admin, id, (job) => job.state !== 'running')
  expect([state, reason]).toEqual(['failed', 'You do not have permission to download.'])
  expect(existsSync(disk('endless.tar.gz'))).toBe(false)
}, 30_000)
