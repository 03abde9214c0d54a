import type { Stage } from './stage.ts'

/** A state of the interface, for screenshots and for the check of accessibility. */
export interface Screen {
  name: string
  /** The screen exists only in wide windows, or only in narrow ones (`NARROW` in ui/lib/page/media.ts). */
  only?: 'wide' | 'narrow'
  /** Whether the screen is shown before a sign-in. */
  visitor?: true
  /** Whether requests of the screen fail on purpose, so that the browser logs errors. */
  failing?: true
  /** Whether the screen slows or cuts the connection (`tcpProxy`). */
  proxied?: true
  /** Brings the screen about. */
  go(stage: Stage): Promise<void>
}
