import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import '../browser.ts'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { answer, dismiss, prompts, type Question } from '#ui/state/dialogs/prompts.ts'
import { clipboard, emptyClipboard } from '#ui/state/folder/clipboard.ts'
import { clearListing, itemsOf, listing, loadListing } from '#ui/state/folder/listing.ts'
import { clearSelection, select, selectedOf, selection } from '#ui/state/folder/selection.ts'
import { toasts } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { sentRequests, serve, userOf, visit } from '../browser.ts'
import { contextOf } from '../contexts.ts'
import { entry, folder } from '../entries.ts'

const UNUSUAL_NAME = 'a#b 100%.txt'
let docs = [entry('/docs/a.txt'), entry('/docs/b.txt'), entry(`/docs/${UNUSUAL_NAME}`)]
let target = [entry('/target/a.txt', { size: 99 })]

const calls = () =>
  sentRequests.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
const choose = (...names: string[]) =>
  select(itemsOf(listing.entry).filter(({ name }) => names.includes(name)))
const selected = () => selectedOf(itemsOf(listing.entry), selection.paths).map(({ name }) => name)

/** Waits for the next question and answers it. */
async function reply(value: Parameters<typeof answer>[1]): Promise<Question> {
  while (prompts.stack.length === 0) await new Promise((resolve) => setTimeout(resolve))
  const [asking] = prompts.stack
  if (!asking) throw new Error('Nothing was asked.')
  answer(asking.id, value)
  return asking.question
}

beforeEach(async () => {
  docs = [entry('/docs/a.txt'), entry('/docs/b.txt'), entry(`/docs/${UNUSUAL_NAME}`)]
  target = [entry('/target/a.txt', { size: 99 })]
  session.user = userOf()
  toasts.shown.length = 0
  dismiss()
  emptyClipboard()
  visit('/files/docs/')
  serve(({ method, url }) => {
    if (method !== 'GET') return new Response('', { status: method === 'DELETE' ? 204 : 200 })
    return Response.json(url.includes('target') ? folder('/target', target) : folder('/docs', docs))
  })
  await loadListing(parsePath('/docs'))
})

describe('deleting', () => {
  const refusePermanent: Parameters<typeof serve>[0] = ({ method, url }) => {
    if (method === 'GET') return Response.json(folder('/docs', docs))
    const headers = { 'X-Fault': 'conflict; reason=notKept' }
    const isRefused = url.includes('a.txt?onlyToTrash=true')
    return new Response(null, isRefused ? { status: 409, headers } : { status: 204 })
  }

  test('what goes to the trash is deleted without a question', async () => {
    choose('a.txt')
    docs = docs.slice(1)
    await perform(actionOf('delete'))
    expect(calls()).toEqual(['DELETE /api/resources/docs/a.txt?onlyToTrash=true'])
    expect(selected()).toEqual(['b.txt'])
  })

  test('only what is deleted permanently is asked about, and stays when cancelled', async () => {
    serve(refusePermanent)
    choose('a.txt', 'b.txt')
    const done = perform(actionOf('delete'))
    expect(await reply(undefined)).toMatchObject({ name: 'delete', entries: [{ name: 'a.txt' }] })
    await done
    expect(calls()).toEqual([
      'DELETE /api/resources/docs/a.txt?onlyToTrash=true',
      'DELETE /api/resources/docs/b.txt?onlyToTrash=true',
    ])
  })

  test('after the question, it is deleted permanently', async () => {
    serve(refusePermanent)
    choose('a.txt')
    const done = perform(actionOf('delete'))
    await reply(true)
    await done
    expect(calls().at(-1)).toBe('DELETE /api/resources/docs/a.txt')
  })

  test('a failed deletion reports its entry, and the others are deleted', async () => {
    choose('a.txt', 'b.txt')
    serve(({ method, url }) => {
      if (method === 'GET') return Response.json(folder('/docs', docs))
      const fails = url.includes('a.txt')
      const headers: HeadersInit = fails ? { 'X-Fault': 'forbidden' } : {}
      return new Response(null, { status: fails ? 403 : 204, headers })
    })
    await perform(actionOf('delete'))
    expect(calls()).toHaveLength(2)
    expect(toasts.shown.map(({ tone }) => tone)).toEqual(['error', 'success'])
    expect(toasts.shown[0]?.text).toContain('a.txt')
  })
})

describe('naming', () => {
  test('a rename moves within the folder and selects the new name', async () => {
    choose(UNUSUAL_NAME)
    const done = perform(actionOf('rename'))
    docs = [entry('/docs/new.txt')]
    expect(await reply('new.txt')).toMatchObject({
      siblings: { names: ['a.txt', 'b.txt'], foldsCase: false },
    })
    await done
    expect(calls()).toEqual([
      'PATCH /api/resources/docs/a%23b%20100%25.txt?action=rename&destination=%2Fdocs%2Fnew.txt',
    ])
    expect(selected()).toEqual(['new.txt'])
  })

  test('a rename to the same name changes nothing', async () => {
    choose('a.txt')
    const done = perform(actionOf('rename'))
    await reply('a.txt')
    await done
    expect(calls()).toEqual([])
  })

  test('a new folder is opened after its creation', async () => {
    const done = perform(actionOf('newFolder'))
    await reply('100% new')
    await done
    expect(calls()).toEqual(['POST /api/resources/docs/100%25%20new/'])
    expect(location.pathname).toBe('/files/docs/100%25%20new/')
  })

  test('a new file is opened, and a taken name is reported', async () => {
    const done = perform(actionOf('newFile'))
    await reply('x.txt')
    await done
    expect(location.pathname).toBe('/files/docs/x.txt')

    visit('/files/docs/')
    serve(() => new Response('', { status: 409, headers: { 'X-Fault': 'conflict' } }))
    const again = perform(actionOf('newFile'))
    await reply('x.txt')
    await again
    expect(toasts.shown.at(-1)?.tone).toBe('error')
    expect(location.pathname).toBe('/files/docs/')
  })
})

describe('moving and copying', () => {
  test('entries with free names are moved without a question', async () => {
    choose('b.txt')
    const done = perform(actionOf('moveTo'))
    expect(await reply(parsePath('/target'))).toMatchObject({ name: 'move', from: '/docs' })
    await done
    expect(calls()).toEqual([
      'PATCH /api/resources/docs/b.txt?action=rename&destination=%2Ftarget%2Fb.txt',
    ])
    expect(location.pathname).toBe('/files/docs/')
  })

  test('a user who prefers that sees the destination', async () => {
    session.user = userOf({ redirectAfterCopyMove: true })
    choose('b.txt')
    const done = perform(actionOf('copyTo'))
    await reply(parsePath('/target'))
    await done
    expect(location.pathname).toBe('/files/target/')
  })

  test.each([
    ['replace', ['override=true']],
    ['keepBoth', ['rename=true']],
    ['skip', []],
  ] as const)('a name collision asks: %s', async (decision, flags) => {
    choose('a.txt', 'b.txt')
    const done = perform(actionOf('moveTo'))
    await reply(parsePath('/target'))
    const question = await reply([decision])
    await done
    expect(question).toMatchObject({
      name: 'collision',
      verb: 'move',
      folder: '/target',
      total: 2,
      conflicts: [{ name: 'a.txt', existing: { size: 99 }, incoming: { size: 10 } }],
    })
    const moved = calls().filter((call) => call.includes('docs/a.txt'))
    expect(moved).toHaveLength(flags.length)
    for (const flag of flags) expect(moved[0]).toContain(flag)
    expect(calls().filter((call) => call.includes('docs/b.txt'))).toHaveLength(1)
  })

  const sameName = () => [entry('/a/x.txt'), entry('/b/x.txt')]

  test('of results with the same name, none replaces one that was moved before', async () => {
    const context = contextOf(permissionsOf('admin'), { targets: sameName(), isFinder: true })
    const done = perform(actionOf('moveTo'), context)
    await reply(parsePath('/target'))
    await done
    expect(calls()).toEqual([
      'PATCH /api/resources/a/x.txt?action=rename&destination=%2Ftarget%2Fx.txt',
      'PATCH /api/resources/b/x.txt?action=rename&rename=true&destination=%2Ftarget%2Fx.txt',
    ])
  })

  test.each([
    [
      ['replace', 'replace'],
      ['override', 'rename'],
    ],
    [
      // Free names are chosen last.
      ['keepBoth', 'replace'],
      ['override', 'rename'],
    ],
    [['skip', 'replace'], ['override']],
  ] as const)('results with the same name as an existing file: %p', async (decisions, flags) => {
    target = [entry('/target/x.txt')]
    const context = contextOf(permissionsOf('admin'), { targets: sameName(), isFinder: true })
    const done = perform(actionOf('moveTo'), context)
    await reply(parsePath('/target'))
    await reply([...decisions])
    await done
    const sent = calls().map((call) => /(override|rename)=true/.exec(call)?.[1] ?? '')
    expect(sent).toEqual([...flags])
  })

  /** Moves a result of a search to a folder. */
  async function moveHit(path: string, to: string): Promise<void> {
    const context = contextOf(permissionsOf('admin'), { targets: [entry(path)], isFinder: true })
    const done = perform(actionOf('moveTo'), context)
    await reply(parsePath(to))
    await done
  }

  test('a moved result is not selected by its name in the shown folder, which is another one', async () => {
    clearSelection()
    target = []
    await moveHit('/other/a.txt', '/target')
    expect(selected()).toEqual([])
  })

  test('a moved result is selected if the shown folder is its destination', async () => {
    serve(({ method }) => {
      if (method !== 'GET') docs = [...docs, entry('/docs/c.txt')]
      return Response.json(folder('/docs', docs))
    })
    await moveHit('/other/c.txt', '/docs')
    expect(selected()).toEqual(['c.txt'])
  })

  test('a result that was moved while no folder is shown is not selected in the next one', async () => {
    clearListing()
    target = []
    await moveHit('/other/a.txt', '/target')
    await loadListing(parsePath('/docs'))
    expect(selected()).toEqual([])
  })

  describe('the open file', () => {
    const [file] = docs
    const context = () =>
      contextOf(permissionsOf('admin'), {
        page: 'file',
        path: parsePath('/docs/a.txt'),
        targets: file ? [file] : [],
      })

    beforeEach(() => visit('/files/docs/a.txt'))

    test('a moved file stays open at its new path', async () => {
      session.user = userOf({ redirectAfterCopyMove: true })
      target = []
      const done = perform(actionOf('moveTo'), context())
      await reply(parsePath('/target'))
      await done
      expect(location.pathname).toBe('/files/target/a.txt')
    })

    test('if a moved file gets a free name, its folder opens', async () => {
      const done = perform(actionOf('moveTo'), context())
      await reply(parsePath('/target'))
      await reply(['keepBoth'])
      await done
      expect(location.pathname).toBe('/files/target/')
    })
  })

  test('moves at the same time each have a message that undoes them', async () => {
    const entries = [entry('/docs/b.txt'), entry('/docs/c.txt')]
    const isSecondDone = Promise.withResolvers<void>()
    let journal = 0
    serve(async ({ method, url }) => {
      if (method === 'GET') return Response.json(folder('/target', []))
      if (url.includes('b.txt')) await isSecondDone.promise
      journal += 1
      return new Response('', { headers: { [JOURNAL_HEADER]: `${journal}` } })
    })
    const [first, second] = entries.map((one) =>
      perform(actionOf('moveTo'), contextOf(permissionsOf('admin'), { targets: [one] })),
    )
    await reply(parsePath('/target'))
    await reply(parsePath('/target'))
    await Promise.race([first, second])
    isSecondDone.resolve()
    await Promise.all([first, second])
    expect(toasts.shown.map(({ undo }) => [...undo])).toEqual([[1], [2]])
  })

  test('cancelling the question moves nothing', async () => {
    choose('a.txt', 'b.txt')
    const done = perform(actionOf('moveTo'))
    await reply(parsePath('/target'))
    await reply(undefined)
    await done
    expect(calls()).toEqual([])
  })
})

describe('the clipboard', () => {
  test('pasting into the same folder creates a copy, also after a cut, and deselects the original', async () => {
    choose('a.txt')
    await perform(actionOf('cut'))
    await perform(actionOf('paste'))
    expect(calls()).toEqual([
      'PATCH /api/resources/docs/a.txt?action=copy&rename=true&destination=%2Fdocs%2Fa.txt',
    ])
    expect(selected()).toEqual([])
  })

  test('a file that was cut is moved, once', async () => {
    choose('b.txt')
    await perform(actionOf('cut'))
    await loadListing(parsePath('/target'))
    await perform(actionOf('paste'))
    expect(calls()).toEqual([
      'PATCH /api/resources/docs/b.txt?action=rename&destination=%2Ftarget%2Fb.txt',
    ])
    expect(clipboard.entries).toHaveLength(0)
  })

  test('a file that was copied can be pasted again', async () => {
    choose('b.txt')
    await perform(actionOf('copy'))
    await loadListing(parsePath('/target'))
    await perform(actionOf('paste'))
    expect(calls()[0]).toContain('action=copy')
    expect(clipboard.entries).toHaveLength(1)
  })
})

describe('downloading', () => {
  let saved: string[] = []
  const create = document.createElement.bind(document)

  beforeEach(() => {
    saved = []
    Object.assign(document, {
      createElement(name: string) {
        const made = create(name as 'a')
        if (name === 'a') made.click = () => void saved.push(made.href)
        return made
      },
    })
  })

  afterEach(() => {
    Object.assign(document, { createElement: create })
  })

  test('one file is downloaded unchanged, without a question', async () => {
    choose('a.txt')
    await perform(actionOf('download'))
    expect(saved).toEqual([expect.stringMatching(/\/api\/raw\/docs\/a\.txt$/)])
    expect(prompts.stack).toEqual([])
  })

  test('several entries are downloaded as a ZIP, without a question @spec-4.5', async () => {
    choose('a.txt', UNUSUAL_NAME)
    await perform(actionOf('download'))
    expect(prompts.stack).toEqual([])
    const { pathname, searchParams } = new URL(saved[0] ?? '')
    expect(pathname).toBe('/api/raw/docs/')
    expect(Object.fromEntries(searchParams)).toEqual({
      files: 'a.txt,a%23b%20100%25.txt',
      algo: 'zip',
    })
  })

  test('several entries are downloaded in the chosen format', async () => {
    choose('a.txt', UNUSUAL_NAME)
    const done = perform(actionOf('downloadAs'))
    expect(await reply('tarzst')).toMatchObject({ name: 'download', count: 2 })
    await done
    const { pathname, searchParams } = new URL(saved[0] ?? '')
    expect(pathname).toBe('/api/raw/docs/')
    expect(Object.fromEntries(searchParams)).toEqual({
      files: 'a.txt,a%23b%20100%25.txt',
      algo: 'tarzst',
    })
  })

  test('a folder in Quick Look is downloaded in the chosen format', async () => {
    const sub = entry('/docs/sub/')
    const context = contextOf(permissionsOf('download'), {
      page: 'file',
      path: sub.path,
      targets: [sub],
    })
    const action = actionOf('downloadAs')
    expect(action.when(context)).toBe(true)
    const done = action.run(context)
    expect(await reply('tarzst')).toMatchObject({ name: 'download', entryName: 'sub' })
    await done
    const { pathname, search } = new URL(saved[0] ?? '')
    expect(pathname + search).toBe('/api/raw/docs/sub/?algo=tarzst')
  })

  test('without a selection the whole folder is downloaded; cancelling downloads nothing', async () => {
    clearSelection()
    const done = perform(actionOf('downloadAs'))
    expect(await reply(undefined)).toMatchObject({
      name: 'download',
      entryName: 'docs',
      count: 'all',
    })
    await done
    expect(saved).toEqual([])
  })
})
