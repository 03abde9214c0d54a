/** How deep a tree may be that is walked: each level holds a folder open. */
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'

/** @param depth levels below the top. @throws Fault tooLarge */
export function refuseTooDeep(depth: number): void {
  if (depth <= LIMITS.treeDepthMax) return
  throw new Fault('tooLarge', `This folder has more than ${LIMITS.treeDepthMax} levels.`)
}
