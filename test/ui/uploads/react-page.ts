/** A page with React and the server of peer.ts, for tests that render components. */
import type { ReactNode } from 'react'
import { openPage } from './browser.ts'
import { type Peer, startPeer } from './peer.ts'

export interface ReactPage {
  peer: Peer
  act: typeof import('react').act
  /** Renders into the document. @returns a function that removes it */
  mount(element: ReactNode): Promise<() => void>
  close(): Promise<void>
}

/** Opens the page, with the token of a user. */
export async function openReactPage(): Promise<ReactPage> {
  const peer = startPeer()
  const closePage = openPage(peer.origin)
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true)
  localStorage.setItem('jwt', peer.token)
  // React reads the global document when it is imported, so the page must be open before.
  const { act } = await import('react')
  const { createRoot } = await import('react-dom/client')
  return {
    peer,
    act,
    async mount(element) {
      const root = createRoot(document.body.appendChild(document.createElement('div')))
      await act(() => root.render(element))
      return () => root.unmount()
    },
    async close() {
      Reflect.deleteProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
      await closePage()
      await peer.stop()
    },
  }
}
