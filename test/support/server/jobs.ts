/** Jobs as a client uses them: planned, confirmed, and polled until a condition is true. */
import type { Job, JobPlan, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from './client.ts'

const POLL_MS = 20
const FINAL_STATES: readonly Job['state'][] = ['done', 'failed', 'cancelled']

/** The plan of a job. @throws Error if the server refuses */
export async function planned(client: Client, request: JobRequest): Promise<JobPlan> {
  const answer = await client.call('POST', API.jobs, request)
  if (answer.status !== 200) throw new Error(`plan: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/**
 * Plans a job and confirms the plan.
 *
 * @throws Error if the server refuses
 */
export async function started(client: Client, request: JobRequest): Promise<Job> {
  const { tag } = await planned(client, request)
  const answer = await client.call('POST', API.jobs, { ...request, plan: tag })
  if (answer.status !== 201) throw new Error(`job: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

export async function jobOf(client: Client, id: number): Promise<Job> {
  return (await client.call('GET', `${API.jobs}/${id}`)).json()
}

/** Waits until a condition of a job is true. */
export async function until(
  client: Client,
  id: number,
  holds: (job: Job) => boolean,
): Promise<Job> {
  for (;;) {
    const job = await jobOf(client, id)
    if (holds(job)) return job
    await Bun.sleep(POLL_MS)
  }
}

/** Waits until a job has ended and its leftovers are removed. */
export function ended(client: Client, id: number): Promise<Job> {
  return until(client, id, ({ state, ended }) => FINAL_STATES.includes(state) && ended !== '')
}

/** Pauses, resumes, cancels, retries or skips a job, or one item of it. */
export function control(
  client: Client,
  id: number,
  action: string,
  item?: number,
): Promise<Response> {
  return client.call('POST', `${API.jobs}/${id}`, {
    action,
    ...(item === undefined ? {} : { item }),
  })
}
