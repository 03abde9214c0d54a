/** Archives: extracted and created in a folder, as jobs of the server. */

import { planJob } from '#ui/state/changes/jobs.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { Decision, JobRequest } from '#wire/api/jobs.ts'
import { ARCHIVE_ENDINGS } from '#wire/formats/archive-formats.ts'
import { withoutEnding } from '#wire/formats/archives.ts'
import { childPath, nameOf, type TreePath } from '#wire/paths.ts'
import { confirmJob } from './jobs.ts'

/**
 * Asks where to extract the archive, and what to do about existing names; then starts the job.
 *
 * @throws Fault of the server
 */
export async function extract({ name, path }: Entry, folder: TreePath): Promise<void> {
  const answer = await ask({ name: 'extract', entryName: name })
  if (!answer) return
  const { into, encoding } = answer
  const to = into === 'here' ? folder : childPath(folder, withoutEnding(name))
  const request = (decision: Decision): JobRequest => ({
    kind: 'extract',
    items: [{ path, decision }],
    to,
    encoding,
  })
  let jobRequest = request('refuse')
  let plan = await planJob(jobRequest)
  if (plan.taken > 0) {
    const decision = await ask({ name: 'extractTaken', count: plan.taken, entryName: name })
    if (!decision) return
    jobRequest = request(decision)
    plan = await planJob(jobRequest)
  }
  await confirmJob(jobRequest, plan, { entryName: name, count: 1 })
}

/**
 * Creates an archive beside the entries. Its name is that of the only entry, or of the folder.
 *
 * @throws Fault of the server
 */
export async function compress(entries: readonly Entry[], folder: TreePath): Promise<void> {
  const [first] = entries
  if (!first) return
  const subject = { entryName: first.name, count: entries.length }
  const format = await ask({ name: 'compress', ...subject })
  if (!format) return
  const name = entries.length === 1 ? first.name : nameOf(folder) || 'archive'
  const items = entries.map(({ path }) => ({ path, decision: 'keepBoth' as const }))
  const to = childPath(folder, `${name}${ARCHIVE_ENDINGS[format]}`)
  const jobRequest: JobRequest = { kind: 'archive', items, to }
  await confirmJob(jobRequest, await planJob(jobRequest), subject)
}
