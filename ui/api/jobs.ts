/** Jobs: planned, confirmed, followed and stopped. */
import type { Job, JobAction, JobPlan, JobRequest } from '#wire/jobs.ts'
import { API } from '#wire/routes.ts'
import { request, requestJson } from './request.ts'

/** What would be done; nothing is. @throws Fault badRequest, tooMany */
export function plan(wanted: JobRequest): Promise<JobPlan> {
  return post(API.jobs, wanted)
}

/** @throws Fault conflict when the plan is not true any more; tooMany */
export function start(wanted: JobRequest, { tag }: JobPlan): Promise<Job> {
  return post(API.jobs, { ...wanted, plan: tag })
}

/** Jobs, newest first, without their entries in the journal. */
export function list(): Promise<Job[]> {
  return requestJson<Job[]>(API.jobs, { quiet: true })
}

/** One, with its entries in the journal. @throws Fault notFound */
export function get(id: number): Promise<Job> {
  return requestJson<Job>(`${API.jobs}/${id}`)
}

/** @throws Fault notFound, conflict */
export function control(id: number, action: JobAction, item?: number): Promise<Job> {
  return post(`${API.jobs}/${id}`, { action, ...(item !== undefined && { item }) })
}

/** Forgets a job that is over. @throws Fault notFound, conflict */
export async function forget(id: number): Promise<void> {
  await request(`${API.jobs}/${id}`, { method: 'DELETE' })
}

function post<Shape>(url: string, body: object): Promise<Shape> {
  const headers = { 'Content-Type': 'application/json' }
  return requestJson<Shape>(url, { method: 'POST', body: JSON.stringify(body), headers })
}
