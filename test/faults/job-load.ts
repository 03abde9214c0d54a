/** A simulated user whose copies, moves and removals are jobs. A kill interrupts a job, and the next server finishes it. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Job, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { type Content, digest, type ExpectedState } from './expected-state.ts'
import type { Draw } from './load.ts'

const FOLDER = 'jobs'
const FILES = 30
const FILE_BYTES = 20_000
/** How many copies of the source folder exist at most. */
const COPIES_MAX = 4

export class SimulatedJobUser {
  readonly #root: string
  readonly #expected: ExpectedState
  readonly #draw: Draw
  /** The digest of each file of the source folder, by its name; the same in each copy. */
  readonly #contents = new Map<string, string>()
  /** The paths of the complete copies. */
  #copies: string[] = []
  /** The folder whose files the current job removes, and the folder that it creates. */
  #removed: string | undefined
  #target: string | undefined
  #number = 0
  /** The id of the newest job that is known to have ended. */
  #newestEnded = 0
  /** The numbers of jobs that ended before a kill, and of those that the next server finished. */
  done = 0
  resumed = 0

  constructor(root: string, expected: ExpectedState, draw: Draw) {
    this.#root = root
    this.#expected = expected
    this.#draw = draw
  }

  /** Creates the source folder. Call it before the first server starts. */
  prepare(): void {
    for (let at = 0; at < FILES; at += 1) {
      const name = `d${at % 3}/f${at}`
      const bytes = randomBytes(FILE_BYTES)
      const path = `${FOLDER}/source/${name}`
      mkdirSync(dirname(join(this.#root, path)), { recursive: true })
      writeFileSync(join(this.#root, path), bytes)
      this.#contents.set(name, digest(bytes))
      this.#expected.begin({ [path]: digest(bytes) })()
    }
  }

  /**
   * Runs one job after the other, until one is undecided or there are enough.
   *
   * @param mayGoOn is asked before each
   * @throws Error if a job fails
   */
  async work(client: Client, mayGoOn: () => boolean = () => true): Promise<void> {
    while (mayGoOn()) {
      const { request, after, onDone } = this.#next()
      const finish = this.#expected.begin(after)
      try {
        const job = await ended(client, (await started(client, request)).id)
        mustBeDone(job)
        this.#newestEnded = job.id
      } catch (error) {
        if (error instanceof JobFailed) throw error
        return
      }
      finish()
      onDone()
      this.done += 1
    }
  }

  /**
   * Checks the disk after a kill, before the next server starts: each folder must be complete or not exist, except one
   * whose files are being removed.
   *
   * @returns a message for each folder that is neither
   */
  incompleteFolders(): string[] {
    return [...this.#copies, ...this.#targets()].flatMap((folder) => {
      const found = [...this.#contents].filter(([name]) => existsSync(this.#disk(folder, name)))
      const isContentRight = found.every(
        ([name, content]) => digest(readFileSync(this.#disk(folder, name))) === content,
      )
      const isWhole = found.length === 0 || found.length === FILES || folder === this.#removed
      return isContentRight && isWhole ? [] : [`${folder} has ${found.length} of ${FILES} files`]
    })
  }

  /** Waits until the server has finished the jobs of an earlier one. @throws Error if a job fails */
  async settle(client: Client): Promise<void> {
    const all: Job[] = await (await client.call('GET', API.jobs)).json()
    for (const { id } of all.toReversed().filter((job) => job.id > this.#newestEnded)) {
      mustBeDone(await ended(client, id))
      this.#newestEnded = id
      this.resumed += 1
    }
    // The disk shows whether an interrupted copy or move was completed before or after the kill.
    this.#copies = [...this.#copies, ...this.#targets()].filter((folder) => this.#hasFiles(folder))
    this.#removed = undefined
    this.#target = undefined
  }

  #targets(): string[] {
    return this.#target === undefined ? [] : [this.#target]
  }

  #next(): { request: JobRequest; after: Record<string, Content>; onDone: () => void } {
    const [oldest] = this.#copies
    if (oldest && this.#copies.length >= COPIES_MAX) return this.#remove(oldest)
    if (oldest && this.#draw(2) === 0) return this.#transfer('move', oldest)
    return this.#transfer('copy', `${FOLDER}/source`)
  }

  #transfer(kind: 'copy' | 'move', from: string) {
    this.#number += 1
    const to = `${FOLDER}/${kind}${this.#number}`
    const target = `${to}/${from.split('/').at(-1)}`
    const after: Record<string, Content> = {}
    for (const [name, content] of this.#contents) {
      after[`${target}/${name}`] = content
      if (kind === 'move') after[`${from}/${name}`] = undefined
    }
    this.#target = target
    const onDone = () => {
      this.#copies = this.#copies.filter((folder) => kind === 'copy' || folder !== from)
      this.#copies.push(target)
      this.#target = undefined
    }
    const request: JobRequest = { kind, items: [{ path: `/${from}` }], to: `/${to}` }
    return { request, after, onDone }
  }

  /** Each file is one item of the job. */
  #remove(folder: string) {
    const names = [...this.#contents.keys()].map((name) => `${folder}/${name}`)
    this.#removed = folder
    const onDone = () => {
      this.#removed = undefined
      this.#copies = this.#copies.filter((copy) => copy !== folder)
    }
    const request: JobRequest = {
      kind: 'delete',
      items: names.map((name) => ({ path: `/${name}` })),
    }
    return { request, after: Object.fromEntries(names.map((name) => [name, undefined])), onDone }
  }

  #hasFiles(folder: string): boolean {
    return [...this.#contents.keys()].some((name) => existsSync(this.#disk(folder, name)))
  }

  #disk(folder: string, name: string): string {
    return join(this.#root, folder, name)
  }
}

/** A job did not succeed. */
class JobFailed extends Error {}

function mustBeDone({ id, kind, state, failed, reason }: Job): void {
  if (state === 'done' && failed === 0) return
  throw new JobFailed(`job ${id}, a ${kind}, is ${state}, ${failed} failed: ${reason}`)
}
