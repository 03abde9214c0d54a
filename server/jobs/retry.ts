/** Retries or skips the failed items of a job. */
import { NO_FAILURE, type StoredJob } from '#server/db/rows/job-rows.ts'
import type { JobRows } from '#server/db/rows/jobs.ts'
import { Fault } from '#wire/fault.ts'
import { isOver } from './present.ts'

/**
 * @param id one item; undefined means all that failed
 * @param requireStart called before anything changes if a job that has ended must run again; throwing refuses the retry
 * @returns whether a job that has ended must run again
 * @throws Fault conflict (the job was cancelled), notFound (nothing has failed); what `requireStart` throws
 */
export function retryOrSkipFailed(
  rows: JobRows,
  job: StoredJob,
  { action, id }: { action: 'retry' | 'skip'; id: number | undefined },
  requireStart: () => void,
): boolean {
  const mustRun = action === 'retry' && isOver(job)
  const isStopped = job.state === 'failed' && action === 'retry' && id === undefined
  const failed = rows.items(job.id).filter((item) => item.state === 'failed')
  const selected = id === undefined ? failed : failed.filter((item) => item.id === id)
  if (selected.length === 0 && !isStopped)
    throw new Fault('notFound', 'The job has no failed items.')
  if (job.state === 'cancelled') throw new Fault('conflict', 'The job has ended.')
  if (mustRun) requireStart()
  const state = action === 'retry' ? 'waiting' : 'skipped'
  for (const item of selected) rows.saveItem({ ...item, state, ...NO_FAILURE, failedPath: '' })
  // A job that failed only because all its items failed is done once they are skipped.
  const mayBeDone = job.state === 'failed' && job.reason === '' && action === 'skip'
  if (mayBeDone && !rows.allFailed(job.id)) rows.setState(job.id, 'done', NO_FAILURE, job.endedMs)
  return mustRun
}
