/** Jobs as a client uses them: planned, confirmed, and polled until a condition is true. */
import type { Job, JobPlan, JobRequest } from '#wire/jobs.ts'
import { API } from '#wire/routes.ts'
import type { Client } from './client.ts'

const ASK_EVERY_MS = 20
const OVER: readonly Job['state'][] = ['done', 'failed', 'cancelled']

/** @throws Error if the server refuses */
export async function planned(who: Client, request: JobRequest): Promise<JobPlan> {
  const answer = await who.call('POST', API.jobs, request)
  if (answer.status !== 200) throw new Error(`plan: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/**
 * Plans a job and confirms the plan.
 *
 * @throws Error if the server refuses
 */
export async function started(who: Client, request: JobRequest): Promise<Job> {
  const { tag } = await planned(who, request)
  const answer = await who.call('POST', API.jobs, { ...request, plan: tag })
  if (answer.status !== 201) throw new Error(`job: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

export async function jobOf(who: Client, id: number): Promise<Job> {
  return (await who.call('GET', `${API.jobs}/${id}`)).json()
}

/** Waits until a condition of a job is true. */
export async function until(who: Client, id: number, holds: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await jobOf(who, id)
    if (holds(job)) return job
    await Bun.sleep(ASK_EVERY_MS)
  }
}

/** Waits until a job has ended and its leftovers are removed. */
export function ended(who: Client, id: number): Promise<Job> {
  return until(who, id, ({ state, ended }) => OVER.includes(state) && ended !== '')
}

export function control(who: Client, id: number, action: string, item?: number): Promise<Response> {
  return who.call('POST', `${API.jobs}/${id}`, { action, ...(item === undefined ? {} : { item }) })
}
