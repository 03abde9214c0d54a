import type { Stage } from './stage.ts'

/** A state of the interface, for screenshots and for the check of accessibility. */
export interface Screen {
  name: string
  /** The screen exists only in this width. */
  only?: 'wide' | 'narrow'
  /** Whether the screen is shown without a session. */
  visitor?: true
  /** Whether requests of the screen fail on purpose. */
  failing?: true
  /** Brings the screen about. */
  go(stage: Stage): Promise<void>
}
