import type { Stage } from './stage.ts'

export interface Screen {
  name: string
  /** Only this width has it. */
  only?: 'wide' | 'narrow'
  /** Nobody is signed in. */
  visitor?: true
  /** It shows a PDF, which the engine without windows cannot. */
  showsPdf?: true
  go(stage: Stage): Promise<void>
}
