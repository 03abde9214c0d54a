import { beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import { actionOf, perform } from '#ui/actions/registry.ts'
import type { NewName } from '#ui/lib/entries/new-names.ts'
import { answer, dismiss, prompts } from '#ui/state/dialogs/prompts.ts'
import { itemsOf, listing, loadListing } from '#ui/state/folder/listing.ts'
import { select, selectedOf, selection } from '#ui/state/folder/selection.ts'
import { toasts } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve, userOf, visit } from '../browser.ts'
import { entry, folder } from '../entries.ts'

/** The names on the server. */
let stored: string[] = []
/** The renames of names that the server refuses, as `from>to`. */
let refused: string[] = []

const NUMBER = /resources\/docs\/(.+?)\?.*destination=%2Fdocs%2F([^&]+)/

/** Renames as the server does: never over an existing name. */
function renameOnServer(url: string): Response {
  const [, from = '', to = ''] = NUMBER.exec(decodeURI(url)) ?? []
  const target = decodeURIComponent(to)
  const fault = refused.includes(`${from}>${target}`)
    ? 'forbidden'
    : stored.includes(target) && 'conflict'
  if (fault) return new Response('', { status: 409, headers: { 'X-Fault': fault } })
  stored = stored.map((name) => (name === from ? target : name))
  return new Response('', { headers: { 'X-Journal': '1' } })
}

beforeEach(async () => {
  stored = ['a', 'b', 'c', 'd']
  refused = []
  session.user = userOf()
  toasts.shown.length = 0
  dismiss()
  visit('/files/docs/')
  serve(({ method, url }) =>
    method === 'PATCH'
      ? renameOnServer(url)
      : Response.json(
          folder(
            '/docs',
            stored.map((name) => entry(`/docs/${name}`)),
          ),
        ),
  )
  await loadListing(parsePath('/docs'))
})

const selected = () => selectedOf(itemsOf(listing.entry), selection.paths).map(({ name }) => name)

/** Selects the entries, and answers with these new names. @returns the renames that were requested */
async function rename(renames: Record<string, string>): Promise<string[]> {
  select(itemsOf(listing.entry).filter(({ name }) => Object.hasOwn(renames, name)))
  const done = perform(actionOf('rename'))
  while (prompts.stack.length === 0) await new Promise((resolve) => setTimeout(resolve))
  const asking = prompts.stack[0]
  if (asking?.question.name !== 'renameMany') throw new Error('No new names were asked for.')
  const names: NewName[] = asking.question.entries.map((one) => ({
    entry: one,
    name: renames[one.name] ?? one.name,
  }))
  answer(asking.id, names)
  await done
  return sentRequests
    .filter(({ method }) => method === 'PATCH')
    .map(({ url }) =>
      (NUMBER.exec(decodeURI(url)) ?? []).slice(1).map(decodeURIComponent).join('>'),
    )
}

test('entries that exchange their names are renamed by a temporary name', async () => {
  expect(await rename({ a: 'b', b: 'a' })).toEqual(['a>a(1)', 'b>a', 'a(1)>b'])
  expect(stored).toEqual(['b', 'a', 'c', 'd'])
  expect(toasts.shown.map(({ text }) => text)).toEqual(['2 items renamed'])
  expect(selected()).toEqual(['b', 'a'])
})

test('a failure leaves the other renames, and its message names the entry and the reason', async () => {
  refused = ['b>x']
  await rename({ a: 'y', b: 'x' })
  expect(stored).toEqual(['y', 'b', 'c', 'd'])
  expect(toasts.shown.map(({ tone, text }) => `${tone}: ${text}`)).toEqual([
    'error: Not renamed: b. You do not have permission to do this.',
    'success: 1 item renamed',
  ])
  expect(selected()).toEqual(['b'])
})

test('an entry whose new name did not become free keeps its name', async () => {
  refused = ['b>c2']
  await rename({ a: 'b', b: 'c2' })
  expect(stored).toEqual(['a', 'b', 'c', 'd'])
  expect(toasts.shown.map(({ text }) => text)).toEqual([
    'Not renamed: b and a. You do not have permission to do this.',
  ])
})

test('names are exchanged completely or not at all @spec-2.22', async () => {
  refused = ['b>c']
  await rename({ a: 'b', b: 'c', c: 'a' })
  expect(stored).toEqual(['a', 'b', 'c', 'd'])
  expect(toasts.shown.map(({ tone }) => tone)).toEqual(['error'])
})
