/** A job in the form that clients receive. */
import type { StoredItem, StoredJob } from '#server/db/rows/job-rows.ts'
import type { JobRows } from '#server/db/rows/jobs.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Job, JobItem } from '#wire/api/jobs.ts'
import { LIMITS } from '#wire/limits.ts'
import type { JobMeter } from './context/meter.ts'
import { yielding } from './context/yielding.ts'

/** @param meter of the run; undefined if the job neither runs nor waits */
export async function presentJob(
  rows: JobRows,
  job: StoredJob,
  meter: JobMeter | undefined,
): Promise<Job> {
  const listed = await presentListed(rows, job, meter)
  return { ...listed, entries: await rows.entries(job.id, LIMITS.jobItemsMax) }
}

/** @returns jobs for a list, as `presentListed`; other events are handled between them */
export async function presentList(
  rows: JobRows,
  jobs: readonly StoredJob[],
  meterOf: (id: number) => JobMeter | undefined,
): Promise<Job[]> {
  const listed: Job[] = []
  for await (const job of yielding(jobs))
    listed.push(await presentListed(rows, job, meterOf(job.id)))
  return listed
}

/** @returns the job for a list, without its journal entries */
async function presentListed(
  rows: JobRows,
  job: StoredJob,
  ofRun: JobMeter | undefined,
): Promise<Job> {
  // The run of a job that is over ends a moment later.
  const meter = isOver(job) ? undefined : ofRun
  // Before the rows are read, which then do not contain the current item yet.
  const { files: filesNow = 0, bytes: bytesNow = 0 } = meter ?? {}
  const sums = await rows.sums(job.id)
  const [first] = await rows.items(job.id, 1)
  return {
    id: job.id,
    kind: job.kind,
    username: job.username,
    to: job.to,
    path: first?.path ?? '',
    items: sums.items,
    failed: sums.failed,
    state: job.state,
    fault: job.fault,
    reason: job.reason,
    made: new Date(job.madeMs).toISOString(),
    ended: job.endedMs === 0 ? '' : new Date(job.endedMs).toISOString(),
    files: sums.files,
    bytes: sums.bytes,
    filesDone: sums.filesDone + filesNow,
    bytesDone: sums.bytesDone + bytesNow,
    isPartial: job.isPartial,
    speed: meter?.speed() ?? 0,
    current: meter?.current ?? '',
    problems: (await rows.listFirstFailed(job.id, SERVER_LIMITS.planItemsShown)).map(presentItem),
    entries: [],
  }
}

function presentItem({
  id,
  path,
  part,
  to,
  resultPath,
  state,
  fault,
  reason,
  failedPath,
}: StoredItem): JobItem {
  return { id, path, part, to: resultPath || to, state, fault, reason, failedPath }
}

export function isOver({ state }: StoredJob): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}
