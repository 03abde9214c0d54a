/**
 * A page with an upload queue, for the tests of a file. The modules keep their state, so they are loaded after the page is
 * opened; the exported names have their values in hooks and tests.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { ROOT } from '#wire/paths.ts'
import { openPage, useBrowserTus } from './browser.ts'
import { type Peer, startPeer } from './peer.ts'

export let peer: Peer
export let queue: typeof import('#ui/uploads/queue/queue.ts')
export let signals: typeof import('#ui/uploads/queue/signals.ts')
export let prompts: typeof import('#ui/state/dialogs/prompts.ts')
let listing: typeof import('#ui/state/folder/listing.ts')
export let session: typeof import('#ui/state/session/session.ts')
export let settings: typeof import('#ui/state/session/settings.ts')

/** The size from which a file is sent in chunks, and the size of these, in bytes. */
export const CHUNK = 1024 * 1024

/** Opens the page and its server before the tests of the file. Each test begins signed in, without files and uploads. */
export function openQueuePage(): void {
  let closePage: () => Promise<void>

  beforeAll(async () => {
    await useBrowserTus()
    peer = startPeer()
    closePage = openPage(peer.origin)
    queue = await import('#ui/uploads/queue/queue.ts')
    signals = await import('#ui/uploads/queue/signals.ts')
    prompts = await import('#ui/state/dialogs/prompts.ts')
    listing = await import('#ui/state/folder/listing.ts')
    session = await import('#ui/state/session/session.ts')
    settings = await import('#ui/state/session/settings.ts')
  })

  afterAll(async () => {
    session.session.user = null
    await closePage()
    await peer.stop()
  })

  beforeEach(async () => {
    localStorage.clear()
    localStorage.setItem('jwt', peer.token)
    // Uploads only read the id of the user.
    session.session.user = { id: 7 } as never
    session.session.endedBy = undefined
    settings.settings.TusSettings = { chunkSize: CHUNK, retryCount: 1 }
    await listing.loadListing(ROOT)
    peer.calls.length = 0
    peer.busiest = 0
  })

  afterEach(() => {
    prompts.dismiss()
    queue.abortAll()
    signals.clearTasks()
    peer.intercept = () => undefined
    for (const store of [peer.files, peer.begun, peer.finished, peer.folders]) store.clear()
    peer.folders.add('/')
    peer.foldsCase = false
  })
}
