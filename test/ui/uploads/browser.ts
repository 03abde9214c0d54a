/**
 * A browser for tests of uploads, which send real requests to the server of peer.ts: a window of happy-dom with its own
 * fetch and XMLHttpRequest.
 */
import { mock } from 'bun:test'
import { Window } from 'happy-dom'

const GLOBALS = [
  'Blob',
  'Element',
  'Event',
  'File',
  'FormData',
  'HTMLElement',
  'HTMLIFrameElement',
  'KeyboardEvent',
  'MutationObserver',
  'Node',
  'XMLHttpRequest',
  'addEventListener',
  'dispatchEvent',
  'document',
  'fetch',
  'getComputedStyle',
  'getSelection',
  'history',
  'localStorage',
  'location',
  'matchMedia',
  'navigator',
  'removeEventListener',
  'window',
] as const

/** Opens a page of `origin`. @returns a function that closes it and restores the globals */
export function openPage(origin: string): () => Promise<void> {
  const window = new Window({ url: `${origin}/files/` })
  const before = GLOBALS.map((name) => [name, Reflect.get(globalThis, name)] as const)
  for (const name of GLOBALS) {
    const value: unknown = Reflect.get(window, name)
    const bound = typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(window) : value
    Reflect.set(globalThis, name, bound)
  }
  return async () => {
    for (const [name, value] of before) Reflect.set(globalThis, name, value)
    await window.happyDOM.close()
  }
}

/** Loads the build of tus-js-client for browsers, which the interface contains. Bun would load the one for Node. */
export async function useBrowserTus(): Promise<void> {
  const browserBuild = '../../../node_modules/tus-js-client/lib.esm/browser/index.js'
  const library: object = await import(browserBuild)
  mock.module('tus-js-client', () => library)
}

/**
 * Resolves when the interface shows the end of an upload, which is some tasks after its last file: the panel has ended,
 * and the listing is loaded again.
 */
export async function shownEnd(uploading: Promise<unknown>): Promise<void> {
  await uploading
  const { phase } = await import('#ui/uploads/queue/signals.ts')
  const { isUploading } = await import('#ui/uploads/queue/uploading-rows.ts')
  const ended = Promise.withResolvers<void>()
  const look = () => {
    if (phase.value !== 'active' && !isUploading.value) ended.resolve()
  }
  const stops = [phase.subscribe(look), isUploading.subscribe(look)]
  await ended.promise
  for (const stop of stops) stop()
}
