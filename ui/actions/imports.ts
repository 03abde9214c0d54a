/** Imports of files from other servers, and checksums of folders: jobs of the server. */
import { t } from '#ui/i18n/i18n.ts'
import { planJob } from '#ui/state/changes/jobs.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import type { JobRequest } from '#wire/api/jobs.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { confirmJob } from './jobs.ts'

/**
 * Asks for the URL of a file, which the server then downloads.
 *
 * @throws Fault of the server
 */
export async function importFile(folder: TreePath): Promise<void> {
  const source = await ask({ name: 'import', folder })
  if (!source) return
  const jobRequest: JobRequest = { kind: 'import', items: [], to: folder, source }
  try {
    await confirmJob(jobRequest, await planJob(jobRequest), { entryName: source, count: 1 })
  } catch (error) {
    if (!isFault(error, 'forbidden', 'badRequest')) throw error
    toastError(refusal(error))
  }
}

/**
 * Writes the checksums of a folder to a file, or verifies them.
 *
 * @throws Fault of the server
 */
export async function startSums(kind: 'sums' | 'verify', folder: TreePath): Promise<void> {
  const jobRequest: JobRequest = { kind, items: [{ path: folder, decision: 'replace' }] }
  const subject = { entryName: nameOf(folder) || t('places.home'), count: 1 }
  await confirmJob(jobRequest, await planJob(jobRequest), subject)
}

function refusal({ code }: Fault): string {
  return t(code === 'forbidden' ? 'prompts.import.refused' : 'prompts.import.wrong')
}
