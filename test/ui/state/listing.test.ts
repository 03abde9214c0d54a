import { beforeEach, describe, expect, test } from 'bun:test'
import '../browser.ts'
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
} from '#ui/state/listing.ts'
import { selectAll, selectedOf, selection } from '#ui/state/selection.ts'
import { session } from '#ui/state/session.ts'
import { isListing } from '#wire/entry.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../browser.ts'
import { entry, folder } from '../entries.ts'

const DOCS = folder('/docs', [entry('/docs/sub/'), entry('/docs/a.txt'), entry('/docs/b.txt')])

const names = () => itemsOf(listing.entry).map(({ name }) => name)
const selected = () => selectedOf(itemsOf(listing.entry), selection.paths).map(({ name }) => name)

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

  test('a reload keeps the selection by path', async () => {
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

  test('preselected names are selected by the next load, once', async () => {
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

  test('a folder that was left is neither selected in nor loaded again', async () => {
    selectAll(itemsOf(listing.entry))
    clearListing()
    sentRequests.length = 0
    await reloadListing()
    expect(sentRequests).toEqual([])
    expect(listing.status).toBe('idle')
    expect(selected()).toEqual([])
  })

  test('the listing is cleared when the user changes', async () => {
    session.user = null
    await Promise.resolve()
    expect(listing).toMatchObject({ path: ROOT, entry: null, status: 'idle' })
  })
})
