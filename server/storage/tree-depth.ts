/** The limit of depth for a walk, which holds a folder open for each level. */
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'

/**
 * @param depth levels below the top
 * @throws Fault tooLarge
 */
export function refuseTooDeep(depth: number): void {
  if (depth <= LIMITS.treeDepthMax) return
  throw new Fault('tooLarge', `This folder has more than ${LIMITS.treeDepthMax} levels.`)
}
