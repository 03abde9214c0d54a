/**
 * Jobs: long copies, moves, deletions, extractions and archives, which are planned first and can be followed
 * (docs/api.md 23).
 */
import { z } from 'zod'
import type { PlanRequest } from '#server/jobs/plans/plan-request.ts'
import {
  DECISIONS,
  JOB_ACTIONS,
  JOB_KINDS,
  type JobKind,
  type JobPlan,
  jobPlanShape,
  jobShape,
} from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { Fault, faultHeader } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { NAME_ENCODINGS } from '#wire/name-encodings.ts'
import { parsePath } from '#wire/paths.ts'
import type { Call, Route } from '../context/context.ts'
import { QUEUE_RESPONSES } from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { cameFromBrowser } from '../request/auth.ts'
import { jsonBody } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { JSON_TYPE, jsonResponse } from '../response/present.ts'

const text = z.string().min(1).max(LIMITS.textFieldMax)
/** Deletions and checksums have no destination. */
const WITHOUT_DESTINATION: readonly JobKind[] = ['delete', 'sums', 'verify']
const RENAMING: readonly JobKind[] = ['copy', 'move']

const requestShape = z
  .object({
    kind: z.enum(JOB_KINDS),
    items: z
      .array(
        z.object({
          path: text,
          decision: z.enum(DECISIONS).default('refuse'),
          name: text.optional(),
        }),
      )
      .max(LIMITS.jobItemsMax),
    to: text.optional(),
    source: text.optional(),
    encoding: z.enum(NAME_ENCODINGS).optional(),
    plan: z.string().max(64).optional(),
  })
  .refine(({ kind, to }) => WITHOUT_DESTINATION.includes(kind) === (to === undefined), {
    message:
      'what copies, moves, extracts, archives or imports names where to, and nothing else does',
    path: ['to'],
  })
  .refine(({ kind, items }) => (kind === 'import') === (items.length === 0), {
    message: 'an import has no items, and everything else has one at least',
    path: ['items'],
  })
  .refine(({ kind, source }) => (kind === 'import') === (source !== undefined), {
    message: 'an import names the address of a file, and nothing else does',
    path: ['source'],
  })
  .refine(({ kind, items }) => RENAMING.includes(kind) || items.every(({ name }) => !name), {
    message: 'only a copy or a move gives names',
    path: ['items'],
  })
  .refine(
    ({ kind, items }) =>
      kind === 'delete' || items.every(({ decision }) => decision !== 'onlyToTrash'),
    { message: 'only a deletion can be one that goes only to the trash', path: ['items'] },
  )
  .refine(({ kind, encoding }) => kind === 'extract' || encoding === undefined, {
    message: 'only an extraction has an encoding of names',
    path: ['encoding'],
  })
const controlShape = z.object({
  action: z.enum(JOB_ACTIONS),
  item: z.number().int().min(1).optional(),
})

const jobPath = `${API.jobs}/:id{[0-9]+}` as const
const NO_JOB = 'there is no such job, or it belongs to another user'

export const jobRoutes: Route[] = [
  {
    method: 'POST',
    path: API.jobs,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary:
        'Plans a copy, a move, a removal, an extraction, an archive, checksums or an import; with the tag of a plan, starts it as a job',
      body: requestShape,
      responses: {
        200: { description: 'the plan; nothing is changed', shape: jobPlanShape },
        201: { description: 'the job', shape: jobShape },
        403: 'the folder is read-only, or files may not be imported from this host',
        404: 'the folder for the new archive does not exist',
        409: {
          description:
            'the files have changed since the plan; the response is a new plan, and nothing is done',
          shape: jobPlanShape,
        },
        429: 'this user has too many jobs or plans',
        503: 'there are too many jobs or plans',
      },
    },
    slow: true,
    async handle(call) {
      const { plan: confirmed, ...body } = await jsonBody(call, requestShape)
      const request = planRequest(body)
      const { scope, app, auth } = call.var
      using _ = call.var.limits.plans.acquire(limitKey(call))
      if (confirmed === undefined) return jsonResponse(await app.jobs.plan(scope, request))
      const client = cameFromBrowser(call) ? 'web' : 'api'
      const origin = { session: auth.session.id, client } as const
      const created = await app.jobs.create(scope, origin, request, confirmed)
      return 'job' in created ? jsonWithStatus(created.job, 201) : planChanged(created.plan)
    },
  },
  {
    method: 'GET',
    path: API.jobs,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary:
        'Lists jobs, newest first: for administrators those of all users, for others their own',
      responses: { 200: { description: 'jobs', shape: z.array(jobShape) }, ...QUEUE_RESPONSES },
    },
    handle: (call) => sendJsonQueued(call, async () => call.var.app.jobs.list(call.var.auth.user)),
  },
  {
    method: 'GET',
    path: jobPath,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Returns a job, with the journal entries of its changes',
      responses: {
        200: { description: 'the job', shape: jobShape },
        404: NO_JOB,
        ...QUEUE_RESPONSES,
      },
    },
    handle: (call) =>
      sendJsonQueued(call, async () => call.var.app.jobs.get(call.var.auth.user, idOf(call))),
  },
  {
    method: 'POST',
    path: jobPath,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary:
        'Pauses, resumes or cancels a job; retries or skips its failed items. Changes that are already made stay',
      body: controlShape,
      responses: {
        200: { description: 'the job', shape: jobShape },
        404: `${NO_JOB}, or it has no failed item`,
        409: 'the job has ended, or it is not paused',
        429: 'this user has too many jobs',
        503: 'there are too many jobs',
      },
    },
    async handle(call) {
      const { action, item } = await jsonBody(call, controlShape)
      return jsonResponse(
        await call.var.app.jobs.control(call.var.auth.user, idOf(call), action, item),
      )
    },
  },
  {
    method: 'DELETE',
    path: jobPath,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Removes an ended job from the list; its changes stay',
      responses: { 204: 'removed', 404: NO_JOB, 409: 'the job has not ended' },
    },
    async handle(call) {
      await call.var.app.jobs.forget(call.var.auth.user, idOf(call))
      return call.body(null, 204)
    },
  },
]

/** @throws Fault badRequest if a path occurs twice */
function planRequest({
  kind,
  items,
  to,
  source,
  encoding,
}: Omit<z.infer<typeof requestShape>, 'plan'>): PlanRequest {
  const parsed = items.map(({ path, decision, name }) => ({
    path: parsePath(path),
    decision,
    name,
  }))
  if (new Set(parsed.map(({ path }) => path)).size < parsed.length) {
    throw new Fault('badRequest', 'items contains the same path twice.')
  }
  const folder = to === undefined ? undefined : parsePath(to)
  return { kind, items: parsed, to: folder, source, encoding }
}

function jsonWithStatus(
  value: unknown,
  status: number,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(value), { status, headers: { ...JSON_TYPE, ...headers } })
}

/** The files have changed between the plan and its confirmation. */
function planChanged(plan: JobPlan): Response {
  const fault = new Fault(
    'conflict',
    'The files have changed since the plan was made. Confirm the new plan.',
  )
  return jsonWithStatus(plan, 409, { [FAULT_HEADER]: faultHeader(fault) })
}

function idOf(call: Call): number {
  return Number(call.req.param('id'))
}
