/** filemgr jobs: lists and controls jobs, with or without a running server. */
import type { Command } from 'commander'
import { JOB_REQUESTS, type JobRequestName } from '#wire/api/jobs.ts'
import { Fault } from '#wire/fault.ts'
import { type OpenedCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addListOptions, limitOf, pathCell } from '../list-options.ts'
import { parseNumber } from '../number-argument.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'

const DESCRIPTION: Record<JobRequestName, string> = {
  pause: 'pause jobs until they are resumed',
  resume: 'resume paused jobs; if no server runs, they continue when it starts',
  cancel: 'cancel jobs; changes that are already made stay',
}

export function jobsCommand(program: Command, io: Io): void {
  const jobs = program.command('jobs').description('list and stop background jobs')
  listJobs(jobs, io)
  for (const request of JOB_REQUESTS) controlJobs(jobs, io, request)
}

function listJobs(jobs: Command, io: Io): void {
  const list = jobs.command('ls').description('list jobs, newest first')
  addListOptions(list, 'jobs')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async ({ rows, users }) => {
        const limit = limitOf(flags)
        const userId =
          flags.user === undefined ? undefined : (await users.getByNameOrId(String(flags.user))).id
        const stored = await rows.jobs.listAll(userId, limit)
        const listed = await Promise.all(stored.map((job) => described(job, rows.jobs)))
        const cells = listed.map(({ id, made, username, kind, state, done, path, to, failed }) => [
          id,
          made,
          username,
          kind,
          state,
          done,
          failed,
          pathCell(path, to),
        ])
        const head = ['JOB', 'TIME', 'USER', 'KIND', 'STATE', 'DONE', 'FAILED', 'PATH']
        printTable(io, head, cells, flags.json === true, listed)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr jobs ls --user anna')
  addOptions(list, isLocationOption, io)
}

type Rows = OpenedCore['rows']['jobs']
type StoredJob = Awaited<ReturnType<Rows['listAll']>>[number]

async function described(job: StoredJob, rows: Rows) {
  const { files, filesDone, failed } = await rows.sums(job.id)
  const [first] = await rows.items(job.id, 1)
  return {
    id: job.id,
    made: new Date(job.madeMs).toISOString(),
    username: job.username,
    kind: job.kind,
    state: job.state,
    reason: job.reason,
    done: `${filesDone}/${files}`,
    failed,
    path: first?.path ?? '',
    to: job.to,
    root: job.root,
  }
}

function controlJobs(jobs: Command, io: Io, request: JobRequestName): void {
  const control = jobs
    .command(request)
    .description(DESCRIPTION[request])
    .argument('<job...>', 'the number of a job, as in `jobs ls`')
    .action((numbers: string[], flags: Flags) =>
      withExistingCore(io, flags, async ({ rows }) => {
        const jobs = await Promise.all(numbers.map((number) => jobFor(request, number, rows.jobs)))
        for (const { id, state } of jobs) {
          // A job that is not paused yet continues if the pause is withdrawn.
          const isWithdrawal = request === 'resume' && state !== 'paused'
          await rows.jobs.request(id, isWithdrawal ? '' : request)
          io.out(`Asked job ${id} to ${request}.`)
        }
      }),
    )
    .addHelpText('after', `\nExample:\n  filemgr jobs ${request} 7`)
  addOptions(control, isLocationOption, io)
}

/** @throws Fault notFound, conflict (the state of the job, or an earlier request, does not allow the request) */
async function jobFor(request: JobRequestName, number: string, rows: Rows): Promise<StoredJob> {
  const job = await rows.findAny(parseNumber(number, 'jobs ls'))
  if (!job) throw new Fault('notFound', `There is no job ${number}.`)
  const isOver = job.state !== 'paused' && job.state !== 'waiting' && job.state !== 'running'
  if (isOver) throw new Fault('conflict', `Job ${number} has ended.`)
  if (job.request === 'cancel' && request !== 'cancel') {
    throw new Fault('conflict', `Job ${number} will be cancelled.`)
  }
  if (request === 'resume' && job.state !== 'paused' && job.request !== 'pause') {
    throw new Fault('conflict', `Job ${number} is not paused.`)
  }
  return job
}
