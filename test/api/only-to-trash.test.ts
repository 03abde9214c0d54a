/** A deletion that may only go to the trash deletes nothing permanently: it is refused before anything happens. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import type { Job, JobPlan } from '#wire/api/jobs.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API, urls } from '#wire/api/routes.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { parsePath } from '#wire/paths.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--trash-except', '/anna/scratch'] })
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const remove = (path: string, query = '?onlyToTrash=true') =>
  app.anna.call('DELETE', urls.resource(parsePath(path)) + query)
const trash = async (): Promise<string[]> => {
  const items: TrashItemInfo[] = await (await app.anna.call('GET', API.trash)).json()
  return items.map(({ path }) => path)
}

test('what the trash keeps is deleted, and what it does not keep stays', async () => {
  mkdirSync(disk('scratch', 'folder'), { recursive: true })
  for (const name of ['kept', 'scratch/file', 'scratch/folder/inner'])
    writeFileSync(disk(...name.split('/')), name)
  expect(await outcome(remove('/kept'))).toBe('204')
  expect(await trash()).toEqual(['/kept'])
  for (const path of ['/scratch/file', '/scratch/folder']) {
    const refused = await remove(path)
    expect(refused.status).toBe(409)
    expect(refused.headers.get(FAULT_HEADER)).toBe('conflict; reason=notKept')
    expect(await refused.text()).toContain('permanently')
    expect(existsSync(disk(...path.split('/')))).toBe(true)
  }
  // The folder without a trash is itself an entry of a folder that is in it.
  expect(await outcome(remove('/scratch'))).toBe('409 conflict')
  expect(await outcome(remove('/scratch/missing'))).toBe('404 notFound')
  // A client that asks was not refused anything: the record of activity does not show it.
  const events: AuditEntry[] = await (
    await app.anna.call('GET', `${API.audit}?action=delete`)
  ).json()
  expect(events.filter(({ path }) => path === '/anna/scratch/file')).toEqual([])
  expect(await outcome(remove('/scratch/file', ''))).toBe('204')
  expect(existsSync(disk('scratch', 'file'))).toBe(false)
  expect(await trash()).toEqual(['/kept'])
})

test('the plan of a deletion names what would be permanent, and its job deletes only the rest', async () => {
  mkdirSync(disk('scratch'), { recursive: true })
  for (const name of ['a', 'scratch/b']) writeFileSync(disk(...name.split('/')), name)
  const items = ['/a', '/scratch/b'].map((path) => ({ path, decision: 'onlyToTrash' as const }))
  const request = { kind: 'delete', items }
  const plan: JobPlan = await (await app.anna.call('POST', API.jobs, request)).json()
  expect(plan.refused).toBe(1)
  expect(plan.items).toMatchObject([{ path: '/scratch/b', fault: 'conflict; reason=notKept' }])
  const started = await app.anna.call('POST', API.jobs, { ...request, plan: plan.tag })
  expect(started.status).toBe(201)
  const { id }: Job = await started.json()
  const job = async (): Promise<Job> => (await app.anna.call('GET', `${API.jobs}/${id}`)).json()
  while ((await job()).ended === '') await Bun.sleep(20)
  expect(await job()).toMatchObject({ state: 'done', failed: 1 })
  expect([existsSync(disk('a')), existsSync(disk('scratch', 'b'))]).toEqual([false, true])
  expect(await trash()).toContain('/a')
})

test('only a deletion may name this decision', async () => {
  const items = [{ path: '/a', decision: 'onlyToTrash' }]
  expect(await outcome(app.anna.call('POST', API.jobs, { kind: 'copy', items, to: '/' }))).toBe(
    '400 badRequest',
  )
})

test('without a trash nothing is deleted', async () => {
  const without = await openTestApp({ args: ['--trash=false'] })
  writeFileSync(join(without.root, 'file'), 'file')
  const answer = without.admin.call(
    'DELETE',
    `${urls.resource(parsePath('/file'))}?onlyToTrash=true`,
  )
  expect(await outcome(answer)).toBe('409 conflict')
  expect(existsSync(join(without.root, 'file'))).toBe(true)
  await without.stop()
})
