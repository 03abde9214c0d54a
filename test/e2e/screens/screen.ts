import type { Stage } from './stage.ts'

export interface Screen {
  name: string
  /** Only this width has it. */
  only?: 'wide' | 'narrow'
  /** Whether the screen is shown without a session. */
  visitor?: true
  /** Whether requests of the screen fail on purpose. */
  failing?: true
  go(stage: Stage): Promise<void>
}
