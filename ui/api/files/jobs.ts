/** Requests for jobs: plan, start, list and control. */
import type { Job, JobAction, JobPlan, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * Plans a job without starting it.
 *
 * @throws Fault badRequest, tooMany
 */
export function plan(jobRequest: JobRequest): Promise<JobPlan> {
  return post(API.jobs, jobRequest)
}

/** @throws Fault conflict (the files have changed since the plan was made), tooMany (the user's unfinished jobs) */
export function start(jobRequest: JobRequest, { tag }: JobPlan): Promise<Job> {
  return post(API.jobs, { ...jobRequest, plan: tag })
}

/** @returns jobs, newest first, without their journal entries */
export function list(): Promise<Job[]> {
  return requestJson<Job[]>(API.jobs, { withoutSignIn: true })
}

/**
 * @returns one job with its journal entries
 * @throws Fault notFound
 */
export function get(id: number): Promise<Job> {
  return requestJson<Job>(`${API.jobs}/${id}`)
}

/** @throws Fault notFound, conflict (the action does not apply to the job's current state) */
export function control(id: number, action: JobAction, item?: number): Promise<Job> {
  return post(`${API.jobs}/${id}`, { action, ...(item !== undefined && { item }) })
}

/**
 * Deletes a finished job from the list.
 *
 * @throws Fault notFound, conflict (the job is still running)
 */
export async function forget(id: number): Promise<void> {
  await request(`${API.jobs}/${id}`, { method: 'DELETE' })
}

function post<Shape>(url: string, body: object): Promise<Shape> {
  const headers = { 'Content-Type': 'application/json' }
  return requestJson<Shape>(url, { method: 'POST', body: JSON.stringify(body), headers })
}
