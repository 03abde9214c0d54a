/**
 * As much of a browser as an upload needs, for tests that talk to a real peer over HTTP: a window of
 * happy-dom whose own fetch and XMLHttpRequest reach it.
 */
import { mock } from 'bun:test'
import { Window } from 'happy-dom'

const GLOBALS = [
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

/** Opens a page of `origin`. The returned function closes it and gives the globals back. */
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

/** Bun would load the library's build for Node; the browser's is the one that ships. */
export async function useBrowserTus(): Promise<void> {
  const browserBuild = '../../../node_modules/tus-js-client/lib.esm/browser/index.js'
  const library: object = await import(browserBuild)
  mock.module('tus-js-client', () => library)
}

/** Resolves when the end of an upload is shown: in tasks after the one of its last file. */
export async function shownEnd(uploading: Promise<unknown>): Promise<void> {
  await uploading
  const { phase } = await import('#ui/uploads/signals.ts')
  while (phase.value === 'active') await Bun.sleep(1)
  await Bun.sleep(1)
}
