import { beforeEach, describe, expect, test } from 'bun:test'
import { subscribeKey } from 'valtio/utils'
import '../../browser.ts'
import { actions } from '#ui/actions/registry.ts'
import { type ActionContext, actionContext } from '#ui/state/action-context.ts'
import {
  clearListing,
  closeFilter,
  itemsOf,
  listing,
  loadListing,
  openFilter,
  preselect,
  reloadListing,
  retryListing,
  setFilter,
  shownItems,
  sortListing,
} from '#ui/state/folder/listing.ts'
import { selectAll, selectedOf, selection } from '#ui/state/folder/selection.ts'
import { session } from '#ui/state/session/session.ts'
import { isListing, LINES_TYPE, type Listing } from '#wire/api/entry.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'
import { entry, folder } from '../../entries.ts'

const DOCS = folder('/docs', [entry('/docs/sub/'), entry('/docs/a.txt'), entry('/docs/b.txt')])

const names = () => itemsOf(listing.entry).map(({ name }) => name)
const selected = () => selectedOf(itemsOf(listing.entry), selection.paths).map(({ name }) => name)

const idsOf = (context: ActionContext) =>
  actions.filter(({ when }) => when?.(context)).map(({ id }) => id)

/** Answers with a line of the first entries; the rest of the response follows. */
function serveInLines(first: Listing): { send(all: Listing): void; fail(): void } {
  const rest = Promise.withResolvers<Listing>()
  const body = new ReadableStream<string>({
    async start(controller) {
      controller.enqueue(`${JSON.stringify(first)}\n`)
      try {
        controller.enqueue(JSON.stringify({ etag: '"1"', ...(await rest.promise) }))
        controller.close()
      } catch (error) {
        controller.error(error)
      }
    },
  })
  const response = new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': LINES_TYPE },
  })
  serve(() => response)
  return { send: rest.resolve, fail: () => rest.reject(new TypeError('The connection broke.')) }
}

const firstShown = async () => {
  while (!listing.entry) await Bun.sleep(1)
}

const shown = () => {
  const { entry: here, filter } = listing
  return here && isListing(here) ? shownItems(here, filter).map(({ name }) => name) : []
}

beforeEach(async () => {
  session.user = null
  await Promise.resolve()
  session.user = userOf()
  serve(() => Response.json(DOCS))
  await loadListing(parsePath('/docs'))
})

describe('the listing', () => {
  test('the listing shows what the server lists', () => {
    expect(listing).toMatchObject({ path: '/docs', status: 'ready', fault: null })
    expect(names()).toEqual(['sub', 'a.txt', 'b.txt'])
  })

  test('a reload keeps the selection by path @spec-4.9', async () => {
    selectAll(itemsOf(listing.entry))
    serve(() => Response.json(folder('/docs', DOCS.items.slice(1))))
    await reloadListing()
    expect(selected()).toEqual(['a.txt', 'b.txt'])
  })

  test('another folder starts with nothing selected', async () => {
    selectAll(itemsOf(listing.entry))
    serve(() => Response.json(folder('/', [entry('/docs/')])))
    await loadListing(ROOT)
    expect(selected()).toEqual([])
  })

  test('going up puts the cursor on the folder that was left', async () => {
    serve(() => Response.json(folder('/', [entry('/a/'), entry('/docs/')])))
    await loadListing(ROOT)
    expect(selection.cursor).toBe('/docs')
  })

  test('preselected names are selected by the next load, once @spec-4.8', async () => {
    preselect(['b.txt', 'missing'])
    await reloadListing()
    expect(selected()).toEqual(['b.txt'])
  })

  test('a failed listing keeps its fault', async () => {
    serve(() => new Response('No.', { status: 403, headers: { 'X-Fault': 'forbidden' } }))
    await loadListing(parsePath('/secret'))
    expect(listing.status).toBe('failed')
    expect(listing.fault?.code).toBe('forbidden')
    expect(listing.entry).toBeNull()
  })

  test('a shown folder stays without a connection, and is loaded again when the connection is back', async () => {
    serve(() => Response.json(folder('/docs', [entry('/docs/a.txt')])))
    await loadListing(parsePath('/docs'))
    serve(() => Promise.reject(new TypeError('no connection')))
    await reloadListing()
    expect(listing.status).toBe('ready')
    expect(listing.fault).toBeNull()
    expect(names()).toEqual(['a.txt'])
    serve(() => Response.json(folder('/docs', [entry('/docs/b.txt')])))
    await retryListing()
    expect(names()).toEqual(['b.txt'])
    sentRequests.length = 0
    await retryListing()
    expect(sentRequests).toEqual([])
  })

  test('the first entries of a large folder are shown until all have arrived', async () => {
    const all = folder('/large', [entry('/large/a'), entry('/large/b'), entry('/large/c')])
    const rest = serveInLines(folder('/large', all.items.slice(0, 1)))
    const loaded = loadListing(parsePath('/large'))
    await firstShown()
    expect(names()).toEqual(['a'])
    expect(listing).toMatchObject({ status: 'loading', isComplete: false })
    expect(idsOf(actionContext())).not.toContain('selectAll')
    rest.send(all)
    await loaded
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(listing).toMatchObject({ status: 'ready', isComplete: true })
    expect(idsOf(actionContext())).toContain('selectAll')
  })

  test('the first entries are not shown in an order that the user did not choose', async () => {
    session.user = userOf({ sorting: { by: 'name', asc: false } })
    const rest = serveInLines(folder('/reversed', [entry('/reversed/a')]))
    const shownLists: string[][] = []
    const stop = subscribeKey(listing, 'entry', () => shownLists.push(names()), true)
    const loaded = loadListing(parsePath('/reversed'))
    rest.send(folder('/reversed', [entry('/reversed/a'), entry('/reversed/b')]))
    await loaded
    stop()
    expect(shownLists).toEqual([[], ['b', 'a']])
  })

  test('first entries whose rest does not arrive are not taken for the folder', async () => {
    const rest = serveInLines(folder('/broken', [entry('/broken/a')]))
    const loaded = loadListing(parsePath('/broken'))
    await firstShown()
    rest.fail()
    await loaded
    expect(listing.status).toBe('failed')
    expect(listing.fault?.reason).toBe('noConnection')
  })

  test('a folder that was shown before is shown as it was until the response arrives', async () => {
    const tagged = (items: string[]) =>
      Response.json(
        folder(
          '/seen',
          items.map((name) => entry(`/seen/${name}`)),
        ),
        { headers: { ETag: `"${items.length}"` } },
      )
    serve(() => tagged(['a', 'b']))
    await loadListing(parsePath('/seen'))
    await loadListing(ROOT)
    const response = Promise.withResolvers<Response>()
    serve(() => response.promise)
    const loaded = loadListing(parsePath('/seen'))
    expect(names()).toEqual(['a', 'b'])
    expect(listing.status).toBe('loading')
    response.resolve(tagged(['b']))
    await loaded
    expect(names()).toEqual(['b'])
  })

  test('a late response is not shown', async () => {
    let answerFirst = (_: Response) => {}
    const first = new Promise<Response>((resolve) => {
      answerFirst = resolve
    })
    serve(({ url }) => (url.endsWith('/slow') ? first : Response.json(folder('/fast', []))))
    const slow = loadListing(parsePath('/slow'))
    await loadListing(parsePath('/fast'))
    answerFirst(Response.json(folder('/slow', [entry('/slow/x')])))
    await slow
    expect(listing.entry?.name).toBe('fast')
    expect(names()).toEqual([])
  })

  test('a new order is applied at once and stored on the server', async () => {
    serve(() => new Response('ok'))
    await sortListing({ by: 'name', asc: false })
    expect(names()).toEqual(['sub', 'b.txt', 'a.txt'])
    expect(sentRequests.map(({ method, url }) => `${method} ${url}`)).toEqual(['PUT /api/users/1'])
    expect(session.user?.sorting).toEqual({ by: 'name', asc: false })
  })

  test('the filter shows only matches, and deselects hidden entries', async () => {
    selectAll(itemsOf(listing.entry))
    openFilter()
    setFilter('TXT a')
    expect(shown()).toEqual(['a.txt'])
    expect(selected()).toEqual(['a.txt'])
    closeFilter()
    expect(shown()).toEqual(['sub', 'a.txt', 'b.txt'])
  })

  test('the filter ends with the folder, but not with a reload', async () => {
    setFilter('a')
    await reloadListing()
    expect(listing.filter).toBe('a')
    serve(() => Response.json(folder('/', [entry('/docs/')])))
    await loadListing(ROOT)
    expect(listing.filter).toBeNull()
  })

  test('an entry that should be selected is shown, even if the filter hides it', async () => {
    setFilter('a')
    preselect(['b.txt'])
    await reloadListing()
    expect(listing.filter).toBeNull()
    expect(selected()).toEqual(['b.txt'])
  })

  test('on a touch screen nothing is selected automatically, so the next tap opens', async () => {
    const { matchMedia } = globalThis
    globalThis.matchMedia = () => ({ matches: true }) as MediaQueryList
    preselect(['b.txt'])
    await reloadListing()
    globalThis.matchMedia = matchMedia
    expect(selected()).toEqual([])
    expect(selection.cursor).toBe('/docs/b.txt')
  })

  test('after the page of a folder is left, nothing is selected and a reload requests nothing', async () => {
    selectAll(itemsOf(listing.entry))
    clearListing()
    sentRequests.length = 0
    await reloadListing()
    expect(sentRequests).toEqual([])
    expect(listing.status).toBe('idle')
    expect(selected()).toEqual([])
  })

  test('the listing is cleared when the user signs out', async () => {
    session.user = null
    await Promise.resolve()
    expect(listing).toMatchObject({ path: ROOT, entry: null, status: 'idle' })
  })

  test('the folder is loaded again for another user who signs in without a sign-out', async () => {
    session.user = userOf({ id: 1 })
    serve(() => Response.json(DOCS))
    await loadListing(DOCS.path)
    session.user = userOf({ id: 2 })
    serve(() => Response.json({ ...DOCS, items: [] }))
    while (names().length > 0 || listing.status !== 'ready') await Bun.sleep(1)
    expect(sentRequests.filter(({ url }) => !url.startsWith('/api/usage'))).toHaveLength(1)
  })
})
