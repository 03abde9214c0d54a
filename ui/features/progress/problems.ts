import type { Job } from '#wire/jobs.ts'

/** Whether a job needs the user's attention. */
export function hasProblems({ failed, state }: Job): boolean {
  return failed > 0 || state === 'failed'
}
