/** Jobs: plans, confirmation, control and results, with the rights at each step. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { Job, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { writeEndless } from '../support/server/endless.ts'
import { control, ended, jobOf, planned, started, until } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const text = (name: string) => (existsSync(disk(name)) ? readFileSync(disk(name), 'utf8') : '')
/** Writes files of a folder, each with its own name in it. */
function fill(folder: string, ...names: string[]): void {
  mkdirSync(disk(folder), { recursive: true })
  for (const name of names) writeFileSync(disk(folder, name), name)
}
const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`)
const copyOf = (...paths: string[]): JobRequest => ({
  kind: 'copy',
  items: paths.map((path) => ({ path })),
  to: '/to',
})

/** Begins an archive that ends when the file of it is truncated while the job is paused. */
async function endless(
  who: Client,
  home: string,
  to = '/endless.tar.gz',
): Promise<{ job: Job; file: string }> {
  const folder = join(app.root, home, 'endless')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'zeros')
  writeEndless(file)
  const items = [{ path: '/endless' }]
  const { id } = await started(who, { kind: 'archive', items, to })
  return { job: await until(who, id, ({ bytesDone }) => bytesDone > 0), file }
}

describe('who may', () => {
  test('jobs need a session; users see and stop their own, administrators all @spec-7.56', async () => {
    fill('mine', 'a')
    const job = await started(app.anna, { ...copyOf('/mine'), to: '/whose' })
    await ended(app.anna, job.id)
    const one = `${API.jobs}/${job.id}`
    for (const [method, address, body] of [
      ['GET', API.jobs, undefined],
      ['POST', API.jobs, copyOf('/mine')],
      ['GET', one, undefined],
      ['POST', one, { action: 'cancel' }],
      ['DELETE', one, undefined],
    ] as const) {
      expect(await outcome(app.anonymous.call(method, address, body))).toBe('401 unauthenticated')
    }
    const other = await app.person('bert', '--scope', '/bert')
    expect(await (await other.call('GET', API.jobs)).json()).toEqual([])
    expect(await outcome(other.call('GET', one))).toBe('404 notFound')
    expect(await outcome(control(other, job.id, 'retry'))).toBe('404 notFound')
    expect(await outcome(other.call('DELETE', one))).toBe('404 notFound')
    expect((await jobOf(app.admin, job.id)).username).toBe('anna')
    const all: Job[] = await (await app.admin.call('GET', API.jobs)).json()
    expect(all.map(({ id }) => id)).toContain(job.id)
    expect(await outcome(app.anna.call('DELETE', one))).toBe('204')
    expect(await outcome(app.anna.call('GET', one))).toBe('404 notFound')
  })

  test('the plan refuses an item without the right to it, and the job does nothing', async () => {
    const guest = await app.person('guest', '--scope', '/guest', '--perm.delete=false')
    mkdirSync(join(app.root, 'guest'), { recursive: true })
    writeFileSync(join(app.root, 'guest', 'a'), 'a')
    const plan = await planned(guest, { kind: 'delete', items: [{ path: '/a' }] })
    expect(plan.refused).toBe(1)
    const job = await started(guest, { kind: 'delete', items: [{ path: '/a' }] })
    const { state, failed, problems } = await ended(guest, job.id)
    expect([state, failed, problems[0]?.fault]).toEqual([
      ...['failed', 1, 'forbidden; reason=rightMissing'],
    ])
    expect(existsSync(join(app.root, 'guest', 'a'))).toBe(true)
  })

  test('one denied entry in a folder fails the whole item of a job', async () => {
    await app.runCommand('users', 'add', 'ruled', PASSWORD, '--scope', '/anna')
    await app.runCommand('rules', 'add', '/hidden/deep/secret', '--user', 'ruled')
    const ruled = await signIn(app.url, 'ruled', PASSWORD)
    fill('hidden/deep', 'secret', 'open')
    const plan = await planned(ruled, copyOf('/hidden'))
    expect(plan.refused).toBe(1)
    expect(plan.items[0]?.problem).toContain('You do not have access')
    const job = await started(ruled, copyOf('/hidden'))
    expect((await ended(ruled, job.id)).failed).toBe(1)
    expect(existsSync(disk('to/hidden'))).toBe(false)
  })
})

describe('the plan', () => {
  test('the plan counts files, folders, bytes, taken names and what would be replaced', async () => {
    fill('plan/a', 'one', 'two')
    fill('plan/a/deep', 'three')
    fill('into/a', 'one', 'other')
    const request: JobRequest = { kind: 'copy', items: [{ path: '/plan/a' }], to: '/into' }
    const plan = await planned(app.anna, request)
    expect(plan).toMatchObject({ files: 3, folders: 2, bytes: 'onetwothree'.length })
    expect(plan).toMatchObject({ taken: 1, replaced: 1, refused: 0, isLarge: false })
    expect(plan.items).toMatchObject([{ path: '/plan/a', to: '/into/a', taken: true }])
    expect(plan.free - plan.freeAfter).toBe(plan.bytes)
    const moved = await planned(app.anna, { ...request, kind: 'move' })
    expect([moved.isInstant, moved.freeAfter]).toEqual([true, moved.free])
    const skipped = await planned(app.anna, {
      ...request,
      items: [{ path: '/plan/a', decision: 'skip' }],
    })
    expect([skipped.files, skipped.tag]).toEqual([0, plan.tag])
  })

  test('an item of a copy has a name of its own, such as that of what it replaces', async () => {
    fill('named', 'U\u0308b')
    fill('named-to', 'Üb')
    const item = { path: '/named/U\u0308b', decision: 'replace', name: 'Üb' } as const
    const request: JobRequest = { kind: 'copy', items: [item], to: '/named-to' }
    expect(await planned(app.anna, request)).toMatchObject({ taken: 1 })
    expect((await ended(app.anna, (await started(app.anna, request)).id)).state).toBe('done')
    expect(readdirSync(disk('named-to'))).toEqual(['Üb'])
    expect(readFileSync(disk('named-to/Üb'), 'utf8')).toBe(
      readFileSync(disk('named/U\u0308b'), 'utf8'),
    )
    for (const name of ['..', 'a/b', '']) {
      const refused = app.anna.call('POST', API.jobs, { ...request, items: [{ ...item, name }] })
      expect([name, await outcome(refused)]).toEqual([name, '400 badRequest'])
    }
    const deletion = { kind: 'delete', items: [{ path: '/named', name: 'x' }] }
    expect(await outcome(app.anna.call('POST', API.jobs, deletion))).toBe('400 badRequest')
  })

  test('a plan of more than 200 entries is large', async () => {
    fill('large', ...many(200))
    expect((await planned(app.anna, copyOf('/large'))).isLarge).toBe(true)
    rmSync(disk('large/f0'))
    expect((await planned(app.anna, copyOf('/large'))).isLarge).toBe(false)
  })

  test('an outdated plan is refused with the new one, and nothing is done @spec-7.56', async () => {
    fill('stale', 'a')
    const request = { ...copyOf('/stale'), to: '/stale-to' }
    const { tag } = await planned(app.anna, request)
    writeFileSync(disk('stale/b'), 'b')
    const refused = await app.anna.call('POST', API.jobs, { ...request, plan: tag })
    expect(refused.status).toBe(409)
    const plan = await refused.json()
    expect([plan.files, plan.tag === tag]).toEqual([2, false])
    expect(existsSync(disk('stale-to'))).toBe(false)
    const confirmed = await app.anna.call('POST', API.jobs, { ...request, plan: plan.tag })
    expect(confirmed.status).toBe(201)
    await ended(app.anna, (await confirmed.json()).id)
    expect(readdirSync(disk('stale-to/stale')).sort()).toEqual(['a', 'b'])
  })

  test('a request for a plan that is not valid is refused @limit-48', async () => {
    const ask = (body: object) => outcome(app.anna.call('POST', API.jobs, body))
    expect(await ask({ kind: 'copy', items: [{ path: '/a' }] })).toBe('400 badRequest')
    expect(await ask({ kind: 'delete', items: [{ path: '/a' }], to: '/b' })).toBe('400 badRequest')
    expect(await ask({ kind: 'copy', items: [], to: '/b' })).toBe('400 badRequest')
    expect(await ask(copyOf('/a', '/x/../a'))).toBe('400 badRequest')
    const items = Array.from({ length: 10_001 }, (_, at) => ({ path: `/${at}` }))
    expect(await ask({ kind: 'delete', items })).toBe('400 badRequest')
    const plan = await planned(app.anna, { kind: 'copy', items: [{ path: '/into' }], to: '/into' })
    expect(plan.items[0]?.problem).toContain('A folder cannot be moved or copied into itself')
  })
})

test('one user makes a limited number of plans at a time @limit-13', async () => {
  const who = await app.person('pia', '--scope', '/pia')
  for (let folder = 0; folder < 40; folder += 1) {
    const path = join(app.root, 'pia', 'wide', `d${folder}`)
    mkdirSync(path, { recursive: true })
    for (let at = 0; at < 100; at += 1) writeFileSync(join(path, `f${at}`), '')
  }
  const { perKey: own } = CONCURRENCY_LIMITS.plans
  const ask = () => outcome(who.call('POST', API.jobs, { ...copyOf('/wide'), to: '/to' }))
  const answers = await Promise.all(Array.from({ length: own + 1 }, ask))
  expect(answers.toSorted()).toEqual([...Array<string>(own).fill('200'), '429 tooMany'])
  expect(await ask()).toBe('200')
})

describe('what a job does', () => {
  test('a copy, a move and a removal each have an entry in the journal, and are undone @spec-7.56', async () => {
    fill('undone/a', 'one')
    fill('undone', 'b')
    const copied = await started(app.anna, {
      kind: 'copy',
      items: [{ path: '/undone/a' }, { path: '/undone/b' }],
      to: '/undone-copy',
    })
    const { state, filesDone, bytesDone, entries } = await ended(app.anna, copied.id)
    expect([state, filesDone, bytesDone, entries.length]).toEqual(['done', 3, 4, 2])
    expect(text('undone-copy/a/one') + text('undone-copy/b')).toBe('oneb')
    const moved = await started(app.anna, {
      kind: 'move',
      items: [{ path: '/undone/a' }],
      to: '/undone-move',
    })
    const move = await ended(app.anna, moved.id)
    expect([text('undone-move/a/one'), existsSync(disk('undone/a'))]).toEqual(['one', false])
    const removed = await started(app.anna, { kind: 'delete', items: [{ path: '/undone/b' }] })
    const removal = await ended(app.anna, removed.id)
    expect(existsSync(disk('undone/b'))).toBe(false)
    for (const id of [...removal.entries, ...move.entries, ...entries.toReversed()]) {
      expect(await outcome(app.anna.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
    }
    expect(text('undone/a/one') + text('undone/b')).toBe('oneb')
    expect(existsSync(disk('undone-copy/b'))).toBe(false)
  })

  test('a taken name is replaced, kept beside, skipped, or refused, as decided for each @spec-7.56', async () => {
    fill('taken', 'replace', 'keep', 'skip', 'refuse')
    mkdirSync(disk('taken-to'))
    for (const name of readdirSync(disk('taken'))) writeFileSync(disk('taken-to', name), 'old')
    const job = await started(app.anna, {
      kind: 'copy',
      to: '/taken-to',
      items: [
        { path: '/taken/replace', decision: 'replace' },
        { path: '/taken/keep', decision: 'keepBoth' },
        { path: '/taken/skip', decision: 'skip' },
        { path: '/taken/refuse' },
      ],
    })
    const { state, failed, problems } = await ended(app.anna, job.id)
    expect([state, failed, problems[0]?.fault]).toEqual(['done', 1, 'conflict'])
    const found = ['replace', 'keep', 'keep(1)', 'skip', 'refuse'].map((name) =>
      text(`taken-to/${name}`),
    )
    expect(found).toEqual(['replace', 'old', 'keep', 'old', 'old'])
  })

  test('a copy keeps links out of the scope, and lists special files as left out @spec-7.56', async () => {
    fill('odd/deep', 'file')
    symlinkSync('/etc', disk('odd/deep/out'))
    symlinkSync('file', disk('odd/deep/inside'))
    Bun.spawnSync(['mkfifo', disk('odd/pipe')])
    const job = await started(app.anna, { ...copyOf('/odd'), to: '/odd-to' })
    const { state, problems } = await ended(app.anna, job.id)
    expect(state).toBe('done')
    const named = problems.map(({ part, fault }) => `${part} ${fault}`)
    expect(named.toSorted()).toEqual(['/odd/pipe unsupported; reason=specialFile'])
    expect(readdirSync(disk('odd-to/odd/deep')).sort()).toEqual(['file', 'inside', 'out'])
    expect(await outcome(control(app.anna, job.id, 'retry', problems[0]?.id))).toBe('200')
    expect((await ended(app.anna, job.id)).failed).toBe(1)
  })

  test('a job whose items all failed has failed, until they are retried or skipped @spec-7.56', async () => {
    fill('all', 'a')
    fill('all-to', 'a')
    const job = await started(app.anna, { ...copyOf('/all/a'), to: '/all-to' })
    expect((await ended(app.anna, job.id)).state).toBe('failed')
    expect(await outcome(control(app.anna, job.id, 'retry'))).toBe('200')
    expect((await ended(app.anna, job.id)).state).toBe('failed')
    expect(await outcome(control(app.anna, job.id, 'skip'))).toBe('200')
    expect((await jobOf(app.anna, job.id)).state).toBe('done')
  })

  test('a failed item is retried, or skipped', async () => {
    fill('again', 'a', 'b')
    fill('again-to', 'a', 'b')
    const request = { kind: 'copy', items: [{ path: '/again/a' }, { path: '/again/b' }] } as const
    const job = await started(app.anna, { ...request, items: [...request.items], to: '/again-to' })
    const { problems } = await ended(app.anna, job.id)
    expect(problems).toHaveLength(2)
    const [first, second] = problems.map(({ id }) => id)
    rmSync(disk('again-to/a'))
    expect(await outcome(control(app.anna, job.id, 'retry', first))).toBe('200')
    expect((await ended(app.anna, job.id)).failed).toBe(1)
    expect(text('again-to/a')).toBe('a')
    expect(await outcome(control(app.anna, job.id, 'skip', second))).toBe('200')
    expect((await jobOf(app.anna, job.id)).failed).toBe(0)
    expect(await outcome(control(app.anna, job.id, 'skip', second))).toBe('404 notFound')
  })

  test('a source that vanished after the plan is one item that failed', async () => {
    fill('gone', 'a', 'b')
    const first = await started(app.anna, { ...copyOf('/gone/a'), to: '/gone-to' })
    await ended(app.anna, first.id)
    const { job: blocker } = await endless(app.anna, 'anna')
    const waiting = await started(app.anna, { ...copyOf('/gone/b'), to: '/gone-to' })
    expect((await jobOf(app.anna, waiting.id)).state).toBe('waiting')
    rmSync(disk('gone/b'))
    await control(app.anna, blocker.id, 'cancel')
    const { state, problems } = await ended(app.anna, waiting.id)
    expect([state, problems[0]?.fault]).toEqual(['failed', 'notFound'])
    await ended(app.anna, blocker.id)
  })
})

describe('while it runs', () => {
  test('a job can be paused and resumed on every device, and its result is invisible until it is complete @spec-7.56', async () => {
    const { job, file } = await endless(app.anna, 'anna')
    expect(await outcome(control(app.anna, job.id, 'resume'))).toBe('409 conflict')
    expect(await outcome(control(app.anna, job.id, 'pause'))).toBe('200')
    const paused = await until(app.anna, job.id, ({ state }) => state !== 'running')
    expect(paused.state).toBe('paused')
    expect(existsSync(disk('endless.tar.gz'))).toBe(false)
    truncateSync(file, 1)
    expect(await outcome(app.anna.call('DELETE', `${API.jobs}/${job.id}`))).toBe('409 conflict')
    expect(await outcome(control(app.anna, job.id, 'resume'))).toBe('200')
    const done = await ended(app.anna, job.id)
    expect([done.state, done.filesDone, done.files]).toEqual(['done', 2, 2])
    expect(existsSync(disk('endless.tar.gz'))).toBe(true)
    rmSync(disk('endless.tar.gz'))
    expect(existsSync(join(app.root, '.filemgr/jobs'))).toBe(false)
  })

  test('a cancelled job leaves nothing half-done and nothing behind', async () => {
    const { job } = await endless(app.anna, 'anna')
    expect(await outcome(control(app.anna, job.id, 'cancel'))).toBe('200')
    expect((await ended(app.anna, job.id)).state).toBe('cancelled')
    expect(existsSync(disk('endless.tar.gz'))).toBe(false)
    expect(existsSync(join(app.root, '.filemgr/jobs'))).toBe(false)
    expect(await outcome(control(app.anna, job.id, 'cancel'))).toBe('409 conflict')
  })

  test('a waiting job is cancelled @limit-12', async () => {
    fill('back', 'a')
    const { job: front } = await endless(app.anna, 'anna')
    const back = await started(app.anna, { ...copyOf('/back'), to: '/queue-to' })
    expect(await outcome(control(app.anna, back.id, 'cancel'))).toBe('200')
    await control(app.anna, front.id, 'cancel')
    expect((await ended(app.anna, back.id)).state).toBe('cancelled')
    expect((await ended(app.anna, front.id)).state).toBe('cancelled')
    expect(existsSync(disk('queue-to/back'))).toBe(false)
  })

  test('a job stops with a reason when its user loses a right, and continues on a retry after the right is granted again @spec-7.56', async () => {
    const who = await app.person('rita', '--scope', '/rita')
    const { job, file } = await endless(who, 'rita')
    await app.runCommand('users', 'update', 'rita', '--perm.create=false')
    const failed = await ended(app.admin, job.id)
    expect([failed.state, failed.failed]).toEqual(['failed', 0])
    expect(failed).toMatchObject({
      fault: 'forbidden; reason=rightMissing',
      reason: expect.stringContaining('permission'),
    })
    expect(existsSync(join(app.root, 'rita/endless.tar.gz'))).toBe(false)
    truncateSync(file, 1)
    await app.runCommand('users', 'update', 'rita', '--perm.create=true')
    expect(await outcome(control(app.admin, job.id, 'retry'))).toBe('200')
    expect((await ended(app.admin, job.id)).state).toBe('done')
  })

  test('a job ends with its user', async () => {
    const who = await app.person('otto', '--scope', '/otto')
    const { job } = await endless(who, 'otto')
    await app.runCommand('users', 'rm', 'otto')
    while ((await app.admin.call('GET', `${API.jobs}/${job.id}`)).status !== 404) {
      await Bun.sleep(20)
    }
    while (existsSync(join(app.root, '.filemgr/jobs'))) await Bun.sleep(20)
    expect(existsSync(join(app.root, 'otto/endless.tar.gz'))).toBe(false)
  })

  test('a user has a limited number of unfinished jobs @limit-11', async () => {
    const who = await app.person('mona', '--scope', '/mona')
    const { perKey: own } = CONCURRENCY_LIMITS.jobs
    const ids: number[] = []
    for (let made = 0; made < own; made += 1) {
      const { job } = await endless(who, 'mona', `/${made}.tar.gz`)
      await control(who, job.id, 'pause')
      await until(who, job.id, ({ state }) => state === 'paused')
      ids.push(job.id)
    }
    mkdirSync(join(app.root, 'mona/much'))
    const request: JobRequest = { kind: 'copy', items: [{ path: '/much' }], to: '/more' }
    const { tag } = await planned(who, request)
    const refused = who.call('POST', API.jobs, { ...request, plan: tag })
    expect(await outcome(refused)).toBe('429 tooMany')
    for (const id of ids) await control(who, id, 'cancel')
    for (const id of ids) await ended(who, id)
    expect((await ended(who, (await started(who, request)).id)).state).toBe('done')
  }, 60_000)

  test('the event stream of any folder reports a job', async () => {
    fill('heard', 'a')
    const answer = await app.anna.call('GET', `${API.events}/heard/`)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const other = await app.anna.call('GET', `${API.events}/taken/`)
    await other.body?.cancel()
    const job = await started(app.anna, { ...copyOf('/heard'), to: '/heard-to' })
    let told = ''
    while (!told.includes('event: jobs\n')) told += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    expect((await ended(app.anna, job.id)).state).toBe('done')
  })
})
