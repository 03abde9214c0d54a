/** What one user has loaded is not shown to the next user of the same page, also if a response arrives late. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { NO_FILTER } from '#ui/lib/accounts/activity-filter.ts'
import { neighboursOf } from '#ui/lib/entries/viewers.ts'
import {
  audit,
  clearRecords,
  loadRecords,
  pathInScope,
  recordsOf,
} from '#ui/state/administration/audit.ts'
import { followJobs, jobs } from '#ui/state/changes/jobs.ts'
import { rememberChanges, undoable } from '#ui/state/changes/undo.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { clearListing, listing, loadListing } from '#ui/state/folder/listing.ts'
import { loadUsage, usage } from '#ui/state/folder/usage.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'
import { entry, folder } from '../../entries.ts'

const SIGNAL = new AbortController().signal

/** Changes the signed-in user. Listeners are called a moment later. */
async function signInAs(id: number | undefined): Promise<void> {
  session.user = id === undefined ? null : userOf({ id })
  await Promise.resolve()
}

beforeEach(() => signInAs(1))
afterEach(async () => {
  clearListing()
  await signInAs(undefined)
})

test('a folder that arrives after the sign-out is not shown', async () => {
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  const loaded = loadListing(parsePath('/docs'))
  await signInAs(undefined)
  response.resolve(Response.json(folder('/docs', [entry('/docs/secret.txt')])))
  await loaded
  expect(listing).toMatchObject({ entry: null, status: 'idle' })
})

test('the previous and next buttons do not open files that only the earlier user saw', async () => {
  serve(() => Response.json(folder('/docs', [entry('/docs/a.jpg'), entry('/docs/b.jpg')])))
  await loadListing(parsePath('/docs'))
  await Promise.resolve()
  expect(neighboursOf(viewerState.siblings, '/docs/a.jpg').next?.name).toBe('b.jpg')
  await signInAs(undefined)
  expect(viewerState).toMatchObject({ folder: null, siblings: [] })
})

test('the changes of the earlier user cannot be undone', async () => {
  rememberChanges([1, 2])
  await signInAs(2)
  expect(undoable).toEqual({ past: [], future: [] })
})

test('the paths of audit records are those in the scope of the present administrator', async () => {
  serve(({ url }) => Response.json(url.startsWith('/api/users') ? { scope: '/first' } : []))
  await recordsOf(parsePath('/'), SIGNAL)
  expect(pathInScope('/first/a')).toBe(parsePath('/a'))
  serve(({ url }) => Response.json(url.startsWith('/api/users') ? { scope: '/second' } : []))
  await signInAs(2)
  await recordsOf(parsePath('/'), SIGNAL)
  expect(pathInScope('/second/a')).toBe(parsePath('/a'))
  expect(pathInScope('/first/a')).toBeUndefined()
})

test('a scope that arrives after the sign-out of its administrator is not used for the next one', async () => {
  const scope = Promise.withResolvers<Response>()
  serve(({ url }) => (url.startsWith('/api/users') ? scope.promise : Response.json([])))
  const loaded = recordsOf(parsePath('/'), SIGNAL)
  await signInAs(2)
  scope.resolve(Response.json({ scope: '/first' }))
  await loaded
  expect(pathInScope('/second/a')).toBe(parsePath('/second/a'))
})

test('audit records are not loaded if their page is left while the scope is read', async () => {
  const scope = Promise.withResolvers<Response>()
  serve(({ url }) => (url.startsWith('/api/users') ? scope.promise : Response.json([{ id: 1 }])))
  const loaded = loadRecords(NO_FILTER)
  clearRecords()
  scope.resolve(Response.json({ scope: '/' }))
  await loaded
  expect(audit.records).toBeUndefined()
  expect(sentRequests).toHaveLength(1)
})

test('audit records that arrive after their page was left are not shown', async () => {
  const records = Promise.withResolvers<Response>()
  serve(({ url }) =>
    url.startsWith('/api/users') ? Response.json({ scope: '/' }) : records.promise,
  )
  const loaded = loadRecords(NO_FILTER)
  while (sentRequests.length < 2) await Bun.sleep(0)
  clearRecords()
  records.resolve(Response.json([{ id: 1 }]))
  await loaded
  expect(audit).toMatchObject({ records: undefined, isLoading: false })
})

test('the disk usage of the earlier user is not shown, also if it arrives late', async () => {
  serve(() => Response.json({ used: 1, total: 2, free: 1 }))
  await loadUsage(parsePath('/'))
  expect(usage.known).not.toBeNull()
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  const loaded = loadUsage(parsePath('/docs'))
  await signInAs(2)
  expect(usage.known).toBeNull()
  response.resolve(Response.json({ used: 1, total: 2, free: 1 }))
  await loaded
  expect(usage.known).toBeNull()
})

test('jobs that arrive after their display has ended are not shown', async () => {
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  const stop = followJobs()
  stop()
  response.resolve(Response.json([{ id: 7, state: 'running', failed: 0, ended: '' }]))
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  expect(jobs.shown).toEqual([])
})
