import type { Stage } from './stage.ts'

export interface Screen {
  name: string
  /** Only this width has it. */
  only?: 'wide' | 'narrow'
  /** Nobody is signed in. */
  visitor?: true
  go(stage: Stage): Promise<void>
}
