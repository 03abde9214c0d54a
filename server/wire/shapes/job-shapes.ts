/** The schemas of jobs and their plans, for the API description. The compiler checks each against its type. */
import { z } from 'zod'
import {
  ITEM_STATES,
  JOB_KINDS,
  JOB_STATES,
  type Job,
  type JobItem,
  type JobPlan,
} from '../api/jobs.ts'

const jobItemShape: z.ZodType<JobItem> = z.object({
  id: z.number(),
  path: z.string(),
  part: z.string(),
  to: z.string(),
  state: z.enum(ITEM_STATES),
  fault: z.string(),
  reason: z.string(),
  failedPath: z.string(),
})

export const jobShape: z.ZodType<Job> = z.object({
  id: z.number(),
  kind: z.enum(JOB_KINDS),
  username: z.string(),
  to: z.string(),
  path: z.string(),
  items: z.number(),
  failed: z.number(),
  state: z.enum(JOB_STATES),
  fault: z.string(),
  reason: z.string(),
  made: z.string(),
  ended: z.string(),
  files: z.number(),
  bytes: z.number(),
  filesDone: z.number(),
  bytesDone: z.number(),
  isPartial: z.boolean(),
  speed: z.number(),
  current: z.string(),
  problems: z.array(jobItemShape),
  entries: z.array(z.number()),
})

export const jobPlanShape: z.ZodType<JobPlan> = z.object({
  tag: z.string(),
  kind: z.enum(JOB_KINDS),
  to: z.string(),
  files: z.number(),
  folders: z.number(),
  bytes: z.number(),
  isPartial: z.boolean(),
  isLarge: z.boolean(),
  isInstant: z.boolean(),
  taken: z.number(),
  replaced: z.number(),
  refused: z.number(),
  free: z.number(),
  freeAfter: z.number(),
  items: z.array(
    z.object({
      path: z.string(),
      part: z.string(),
      to: z.string(),
      isDir: z.boolean(),
      files: z.number(),
      bytes: z.number(),
      taken: z.boolean(),
      fault: z.string(),
      problem: z.string(),
    }),
  ),
})
