import { isActive } from '#ui/state/changes/jobs.ts'
import type { Job } from '#wire/api/jobs.ts'

/** Whether a job needs the user's attention. */
export function hasProblems(job: Job): boolean {
  return job.failed > 0 || job.state === 'failed' || isStuck(job)
}

/** Whether the server has paused the job, for example because the disk is full; then the user must resume it. */
export function isStuck({ state, fault }: Job): boolean {
  return state === 'paused' && fault !== ''
}

/** Whether the job runs, or will run without the user's attention. A job that the user has paused counts too. */
export function isUnderWay(job: Job): boolean {
  return isActive(job) && !isStuck(job)
}
