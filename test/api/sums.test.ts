/** Checksums of a folder as jobs: written so that `sha256sum` reads them, and compared with what it writes. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Job, JobKind, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { control, ended, planned, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)

function put(path: string, content: string): void {
  mkdirSync(disk(path, '..'), { recursive: true })
  writeFileSync(disk(path), content)
}

function of(kind: JobKind, path: string, decision: 'refuse' | 'replace' = 'refuse'): JobRequest {
  return { kind, items: [{ path, decision }] }
}

async function over(request: JobRequest, who: Client = app.anna): Promise<Job> {
  return ended(who, (await started(who, request)).id)
}

/** What the system's own program says of the list. */
async function sha256sum(folder: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn(['sha256sum', ...words], { cwd: disk(folder), stderr: 'ignore' })
  return new Response(child.stdout).text()
}

test('a list of checksums is written as sha256sum reads it, and is undone @spec-7.56', async () => {
  const names = ['a', 'deep/er/b', 'a space', 'line\nend', 'back\\slash', 'grüße']
  for (const name of names) put(`write/${name}`, name)
  const plan = await planned(app.anna, of('sums', '/write'))
  expect(plan).toMatchObject({ files: names.length, taken: 0, refused: 0 })
  const { state, entries, filesDone } = await over(of('sums', '/write'))
  expect([state, entries.length, filesDone]).toEqual(['done', 1, names.length])
  const stdout = await sha256sum('write', '--check', '--strict', 'SHA256SUMS')
  expect(stdout.trim().split('\n')).toHaveLength(names.length)
  expect(stdout).not.toContain('FAILED')
  const undone = app.anna.call('POST', `${API.journal}/undo`, { id: entries[0] })
  expect(await outcome(undone)).toBe('200')
  expect(existsSync(disk('write/SHA256SUMS'))).toBe(false)
})

test('a list of checksums that is there is refused or replaced, and does not name itself', async () => {
  put('again/a', 'a')
  put('again/SHA256SUMS', 'old')
  expect((await planned(app.anna, of('sums', '/again'))).taken).toBe(1)
  expect((await over(of('sums', '/again'))).failed).toBe(1)
  expect(readFileSync(disk('again/SHA256SUMS'), 'utf8')).toBe('old')
  expect((await over(of('sums', '/again', 'replace'))).failed).toBe(0)
  expect(readFileSync(disk('again/SHA256SUMS'), 'utf8')).toBe(await sha256sum('again', 'a'))
})

test('a folder is compared with its list, and what differs is named and tried again @spec-7.56', async () => {
  for (const name of ['same', 'other', 'gone', 'new\nline']) put(`verify/${name}`, name)
  const list = await sha256sum('verify', 'same', 'other', 'gone', 'new\nline')
  put(
    'verify/SHA256SUMS',
    `${list}no checksum\n${'0'.repeat(64)}  ../../secret\n${list.split('\n')[0]}\n`,
  )
  put('verify/other', 'changed')
  rmSync(disk('verify/gone'))
  const job = await over(of('verify', '/verify'))
  expect(job.problems.map(({ part, reason }) => [part, reason])).toEqual([
    ['other', 'The content does not match the checksum.'],
    ['gone', 'There is no file or folder with this name.'],
    ['no checksum', 'This line is not a checksum.'],
    ['../../secret', 'The name leads outside the folder.'],
    ['same', 'The list contains this name twice.'],
  ])
  expect([job.state, job.entries]).toEqual(['done', []])
  put('verify/other', 'other')
  expect(await outcome(control(app.anna, job.id, 'retry', job.problems[0]?.id))).toBe('200')
  expect((await ended(app.anna, job.id)).failed).toBe(4)
})

test('a comparison without any match ends with the number of files, and one line for each', async () => {
  put('wrong/one', 'changed')
  put('wrong/SHA256SUMS', `${'0'.repeat(64)}  one\n`)
  const texts = async () =>
    (await over(of('verify', '/wrong'))).problems.map(({ part, reason }) => [part, reason])
  const mismatch = 'The content does not match the checksum.'
  expect(await texts()).toEqual([
    ['', '1 of 1 files does not match the list.'],
    ['one', mismatch],
  ])
  put('wrong/two', 'changed')
  put('wrong/SHA256SUMS', `${'0'.repeat(64)}  one\n${'0'.repeat(64)}  two\n`)
  expect(await texts()).toEqual([
    ['', '2 of 2 files do not match the list.'],
    ['one', mismatch],
    ['two', mismatch],
  ])
})

test('a folder without a list, a file that is no list, and a user who may not download are refused @limit-63', async () => {
  put('none/a', 'a')
  const none = await planned(app.anna, of('verify', '/none'))
  expect(none.items[0]?.problem).toBe('There is no SHA256SUMS in this folder.')
  put('long/SHA256SUMS', 'a'.repeat(SERVER_LIMITS.sumsLineMaxBytes + 1))
  const long = await over(of('verify', '/long'))
  expect(long.problems[0]?.reason).toBe('SHA256SUMS is not a list of checksums.')
  const args = ['--scope', '/anna', '--perm.share=false', '--perm.download=false']
  const who = await app.person('blind', ...args)
  for (const kind of ['sums', 'verify'] as const) {
    const { items } = await planned(who, of(kind, '/long'))
    expect(items[0]?.problem).toBe('You do not have permission to do this.')
  }
  const to = { ...of('sums', '/again'), to: '/x' }
  expect(await outcome(app.anna.call('POST', API.jobs, to))).toBe('400 badRequest')
})
