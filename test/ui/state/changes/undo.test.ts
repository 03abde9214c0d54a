/** The changes of a window are undone group by group, and can be redone. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import '../../browser.ts'
import { snapshot } from 'valtio'
import { request } from '#ui/api/client/request.ts'
import {
  groupChanges,
  type Recorder,
  redoLast,
  undoable,
  undoGroup,
  undoLast,
} from '#ui/state/changes/undo.ts'
import { session } from '#ui/state/session/session.ts'
import { userOf } from '../../browser.ts'

const realFetch = globalThis.fetch
let asked: string[]
let lastEntry: number
/** Entries whose undo the server refuses. */
let refused: number[]
/** Entries for which the server is busy. */
let busy: number[]

beforeEach(() => {
  asked = []
  lastEntry = 0
  refused = []
  busy = []
  undoable.past = []
  undoable.future = []
  globalThis.fetch = (async (url: string, { body }: { body?: string } = {}) => {
    // The journal has no earlier change.
    if (String(url).startsWith('/api/journal?')) return Response.json([])
    const verb = String(url).split('/').at(-1)
    const id = body ? Number(JSON.parse(body).id) : 0
    asked.push(`${verb} ${id}`)
    if (refused.includes(id)) {
      const headers = { 'X-Fault': 'precondition' }
      return new Response('It has changed since.', { status: 412, headers })
    }
    if (busy.includes(id)) {
      return new Response('The server is busy.', {
        status: 503,
        headers: { 'X-Fault': 'unavailable' },
      })
    }
    lastEntry += 1
    const headers = { [JOURNAL_HEADER]: String(lastEntry) }
    return Response.json({ id, undoneBy: lastEntry, problem: '' }, { headers })
  }) as unknown as typeof fetch
})
afterEach(() => {
  globalThis.fetch = realFetch
})

/** Both stacks without the proxies of the store. */
const stacks = () => structuredClone(snapshot(undoable))

const change = (onJournalEntry?: Recorder) =>
  request('/api/resources/x', { method: 'PUT', onJournalEntry })

test('each change is one group, and all changes of one action are one group', async () => {
  await change()
  const changes = await groupChanges(async (record) => {
    await change(record)
    await change(record)
  })
  expect(changes).toEqual([2, 3])
  expect(undoable.past.map((group) => [...group])).toEqual([[1], [2, 3]])
  asked = []
  await undoLast()
  expect(asked).toEqual(['undo 3', 'undo 2'])
  expect(undoable.past.length).toBe(1)
})

test('actions that run at the same time are undone separately', async () => {
  const isSecondDone = Promise.withResolvers<void>()
  const first = groupChanges(async (record) => {
    await change(record)
    await isSecondDone.promise
    await change(record)
  })
  const second = groupChanges(async (record) => {
    await change(record)
    await change()
  })
  expect(await second).toEqual([2])
  isSecondDone.resolve()
  expect(await first).toEqual([1, 4])
  expect(stacks().past).toEqual([[3], [2], [1, 4]])
})

test('the changes of an action that ends after another user has signed in are not for that user to undo', async () => {
  session.user = userOf({ id: 1 })
  const changes = await groupChanges(async (record) => {
    await change(record)
    session.user = userOf({ id: 2 })
    await Promise.resolve()
  })
  expect(changes).toHaveLength(1)
  expect(stacks().past.flat()).not.toContain(changes[0] ?? 0)
  session.user = null
})

test.each([
  ['undo', false],
  ['undo', true],
  ['redo', false],
  ['redo', true],
])(
  'the %s of a user that ends after another user has signed in (fails: %p) changes no stack',
  async (verb, fails) => {
    session.user = userOf({ id: 1 })
    await change()
    if (verb === 'redo') await undoLast()
    if (fails) busy = [1]
    const answered = verb === 'undo' ? undoLast() : redoLast()
    session.user = userOf({ id: 2 })
    await answered.catch(() => undefined)
    expect(stacks()).toEqual({ past: [], future: [] })
    session.user = null
  },
)

test('an undo cannot be undone; a redo can', async () => {
  await change()
  await undoLast()
  expect(undoable.past).toEqual([])
  await redoLast()
  expect(asked).toEqual(['x 0', 'undo 1', 'redo 1'])
  await undoLast()
  expect(asked.at(-1)).toBe('undo 3')
})

test('a change that happens during an undo can be undone too', async () => {
  await change()
  const undone = undoLast()
  await Promise.all([undone, change()])
  expect(stacks().past).toEqual([[3]])
})

test('a new change clears the redo stack', async () => {
  await change()
  await undoLast()
  await change()
  await redoLast()
  expect(asked).toEqual(['x 0', 'undo 1', 'x 0'])
})

test('the button of a message undoes its own change, once', async () => {
  await change()
  await change()
  await undoGroup([1])
  await undoLast()
  await undoLast()
  expect(asked.slice(2)).toEqual(['undo 1', 'undo 2'])
})

test('a refused undo is reported, and is not repeated by the keys', async () => {
  await change()
  refused = [1]
  await expect(undoLast()).rejects.toThrow('It has changed since.')
  await undoLast()
  expect(asked).toEqual(['x 0', 'undo 1'])
  expect(undoable.future).toEqual([])
})

test('after a failure that may pass, the rest can still be undone, and what was undone can be redone', async () => {
  await groupChanges(async (record) => {
    for (let count = 0; count < 3; count += 1) await change(record)
  })
  busy = [2]
  await expect(undoLast()).rejects.toThrow('The server is busy.')
  expect(stacks()).toEqual({ past: [[1, 2]], future: [[3]] })
  busy = []
  await undoLast()
  expect(asked.slice(3)).toEqual(['undo 3', 'undo 2', 'undo 2', 'undo 1'])
  expect(stacks()).toEqual({ past: [], future: [[3], [1, 2]] })
})

test('after a redo that fails midway, what was redone can be undone, and the rest can be redone', async () => {
  await groupChanges(async (record) => {
    for (let count = 0; count < 2; count += 1) await change(record)
  })
  await undoLast()
  busy = [2]
  await expect(redoLast()).rejects.toThrow('The server is busy.')
  expect(undoable.past.length).toBe(1)
  expect(stacks().future).toEqual([[2]])
  busy = []
  await redoLast()
  expect(asked.slice(-3)).toEqual(['redo 1', 'redo 2', 'redo 2'])
})

test('an undo from the audit record that fails does not get into the stack of this window', async () => {
  await change()
  busy = [9]
  await expect(undoGroup([9])).rejects.toThrow('The server is busy.')
  expect(stacks().past).toEqual([[1]])
})
