/** Somebody whose copies, moves and removals are jobs, which a kill interrupts and the next server finishes. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Job, JobRequest } from '#wire/jobs.ts'
import { API } from '#wire/routes.ts'
import type { Client } from '../support/client.ts'
import { ended, started } from '../support/jobs.ts'
import { type Content, digest, type ExpectedState } from './expected-state.ts'
import type { Draw } from './load.ts'

const FOLDER = 'jobs'
const FILES = 30
const FILE_BYTES = 20_000
/** Copies that are there at a time. */
const COPIES_MAX = 4

export class JobPerson {
  readonly #root: string
  readonly #expected: ExpectedState
  readonly #draw: Draw
  /** What a file of each copy holds, by its name. */
  readonly #contents = new Map<string, string>()
  /** Folders that are copies. */
  #copies: string[] = []
  /** What the job at hand removes, and what it brings. */
  #removed: string | undefined
  #target: string | undefined
  #number = 0
  /** The newest job that is known to be over. */
  #newest = 0
  /** Jobs that were over before the kill, and those that the next server had to finish. */
  done = 0
  resumed = 0

  constructor(root: string, expected: ExpectedState, draw: Draw) {
    this.#root = root
    this.#expected = expected
    this.#draw = draw
  }

  /** Makes what is copied, before the first server starts. */
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

  /** One job after the other until the server is gone. @throws Error when one fails */
  async work(client: Client): Promise<void> {
    for (;;) {
      const { request, after, landed } = this.#next()
      const finish = this.#expected.begin(after)
      try {
        const job = await ended(client, (await started(client, request)).id)
        mustBeDone(job)
        this.#newest = job.id
      } catch (error) {
        if (error instanceof Failed) throw error
        return
      }
      finish()
      landed()
      this.done += 1
    }
  }

  /**
   * After a kill, before the next server: a copy is whole or not there, a moved folder is whole at one of the two.
   *
   * @returns a sentence for each folder that is neither
   */
  look(): string[] {
    return [...this.#copies, ...this.#targets()].flatMap((folder) => {
      const found = [...this.#contents].filter(([name]) => existsSync(this.#disk(folder, name)))
      const isRight = found.every(
        ([name, content]) => digest(readFileSync(this.#disk(folder, name))) === content,
      )
      const isWhole = found.length === 0 || found.length === FILES || folder === this.#removed
      return isRight && isWhole ? [] : [`${folder} holds ${found.length} of ${FILES}`]
    })
  }

  /** Waits until the server has finished what an earlier one began. @throws Error when a job fails */
  async settle(client: Client): Promise<void> {
    const all: Job[] = await (await client.call('GET', API.jobs)).json()
    for (const { id } of all.toReversed().filter((job) => job.id > this.#newest)) {
      mustBeDone(await ended(client, id))
      this.#newest = id
      this.resumed += 1
    }
    // What became of it, the disk says.
    this.#copies = [...this.#copies, ...this.#targets()].filter((folder) => this.#isThere(folder))
    this.#removed = undefined
    this.#target = undefined
  }

  #targets(): string[] {
    return this.#target === undefined ? [] : [this.#target]
  }

  #next(): { request: JobRequest; after: Record<string, Content>; landed: () => void } {
    const [oldest] = this.#copies
    if (oldest && this.#copies.length >= COPIES_MAX) return this.#remove(oldest)
    if (oldest && this.#draw(2) === 0) return this.#bring('move', oldest)
    return this.#bring('copy', `${FOLDER}/source`)
  }

  #bring(kind: 'copy' | 'move', from: string) {
    this.#number += 1
    const to = `${FOLDER}/${kind}${this.#number}`
    const target = `${to}/${from.split('/').at(-1)}`
    const after: Record<string, Content> = {}
    for (const [name, content] of this.#contents) {
      after[`${target}/${name}`] = content
      if (kind === 'move') after[`${from}/${name}`] = undefined
    }
    this.#target = target
    const landed = () => {
      this.#copies = this.#copies.filter((folder) => kind === 'copy' || folder !== from)
      this.#copies.push(target)
      this.#target = undefined
    }
    const request: JobRequest = { kind, items: [{ path: `/${from}` }], to: `/${to}` }
    return { request, after, landed }
  }

  /** Each file is an item, and a change of its own. */
  #remove(folder: string) {
    const names = [...this.#contents.keys()].map((name) => `${folder}/${name}`)
    this.#removed = folder
    const landed = () => {
      this.#removed = undefined
      this.#copies = this.#copies.filter((one) => one !== folder)
    }
    const request: JobRequest = {
      kind: 'delete',
      items: names.map((name) => ({ path: `/${name}` })),
    }
    return { request, after: Object.fromEntries(names.map((name) => [name, undefined])), landed }
  }

  #isThere(folder: string): boolean {
    return [...this.#contents.keys()].some((name) => existsSync(this.#disk(folder, name)))
  }

  #disk(folder: string, name: string): string {
    return join(this.#root, folder, name)
  }
}

/** A job has not ended as it should. */
class Failed extends Error {}

function mustBeDone({ id, kind, state, failed, reason }: Job): void {
  if (state === 'done' && failed === 0) return
  throw new Failed(`job ${id}, a ${kind}, is ${state}, ${failed} failed: ${reason}`)
}
