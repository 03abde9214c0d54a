/** Extraction of an archive: where to, what becomes of names that are taken, and then a job of the server. */
import { planJob } from '#ui/state/jobs.ts'
import { ask } from '#ui/state/prompts.ts'
import { archiveKindOf, withoutEnding } from '#wire/archives.ts'
import type { Entry } from '#wire/entry.ts'
import type { Decision, JobRequest } from '#wire/jobs.ts'
import { childPath, type TreePath } from '#wire/paths.ts'
import { confirmJob } from './jobs.ts'

/** Whether it can be extracted, as far as its name tells. */
export function isArchive({ name, isDir }: Entry): boolean {
  return !isDir && archiveKindOf(name) !== undefined
}

/** @throws Fault as the server says it */
export async function extract({ name, path }: Entry, folder: TreePath): Promise<void> {
  const where = await ask({ name: 'extract', of: name })
  if (!where) return
  const to = where === 'here' ? folder : childPath(folder, withoutEnding(name))
  const request = (decision: Decision): JobRequest => ({
    kind: 'extract',
    items: [{ path, decision }],
    to,
  })
  let wanted = request('refuse')
  let plan = await planJob(wanted)
  if (plan.taken > 0) {
    const decision = await ask({ name: 'extractTaken', count: plan.taken, of: name })
    if (!decision) return
    wanted = request(decision)
    plan = await planJob(wanted)
  }
  await confirmJob(wanted, plan, { of: name, count: 1 })
}
