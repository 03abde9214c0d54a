/** Folders are merged by jobs: a file of the second replaces one of the same name in the first. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Job, JobRequest } from '#wire/api/jobs.ts'
import { type Content, digest, type ExpectedState } from '../../faults/expected-state.ts'
import type { Client } from '../../support/server/client.ts'
import { ended, started } from '../../support/server/jobs.ts'
import type { Actor } from './actor.ts'
import type { SharedServers } from './servers.ts'

const BASE = 'merge-base'
const FILES = 12
const TURNS_MAX = 6

type Contents = Record<string, Content>

export class Merges implements Actor {
  readonly #servers: SharedServers
  readonly #client: Client
  readonly #expected: ExpectedState
  /** A job whose end was not seen: the contents before and after it. */
  #open: { before: Contents; after: Contents } | undefined

  constructor(servers: SharedServers, client: Client, expected: ExpectedState) {
    this.#servers = servers
    this.#client = client
    this.#expected = expected
  }

  /** Creates the folders that are copied. Call it while nothing runs. */
  prepare(): void {
    for (const [side, first] of [
      ['left', 0],
      ['right', FILES / 2],
    ] as const) {
      mkdirSync(this.#servers.at(BASE, side, 'tree'), { recursive: true })
      for (let at = first; at < first + FILES; at += 1) {
        writeFileSync(this.#servers.at(baseOf(side, at)), contentOf(side, at))
        this.#expected.begin({ [baseOf(side, at)]: digest(contentOf(side, at)) })()
      }
    }
  }

  async work(mayGoOn: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX && mayGoOn(); turn += 1) {
      const steps = stepsOf(`merges-${turn}`)
      for (const step of steps) {
        if (!mayGoOn() || !(await this.#run(step))) return
      }
    }
  }

  /** @returns false if the end of the job was not seen */
  async #run({ request, before, after }: Step): Promise<boolean> {
    const finish = this.#expected.begin({ ...absent(before), ...after })
    this.#open = { before, after }
    let job: Job
    try {
      job = await ended(this.#client, (await started(this.#client, request)).id)
    } catch {
      return false
    }
    // The campaign looks at jobs that have failed.
    if (job.state !== 'done' || job.failed > 0) return false
    finish()
    this.#open = undefined
    return true
  }

  /** All jobs have ended, so each was made completely or not at all. */
  async settle(): Promise<string[]> {
    if (!this.#open) return []
    const { before, after } = this.#open
    const names = Object.keys({ ...before, ...after })
    const found = Object.fromEntries(names.map((name) => [name, this.#read(name)]))
    const isAs = (state: Contents) => names.every((name) => found[name] === state[name])
    return isAs(before) || isAs(after) ? [] : [`a merge stopped halfway: ${names.join(' ')}`]
  }

  #read(path: string): Content {
    const file = this.#servers.at(path)
    return existsSync(file) ? digest(readFileSync(file)) : undefined
  }
}

interface Step {
  request: JobRequest
  before: Contents
  after: Contents
}

/** Two copies, and the merge of the second into the first. */
function stepsOf(folder: string): Step[] {
  const left = treeOf('left', `${folder}/left/tree`)
  const right = treeOf('right', `${folder}/right/tree`)
  const merged = { ...left, ...treeOf('right', `${folder}/left/tree`) }
  const copy = (side: Side): JobRequest => ({
    kind: 'copy',
    items: [{ path: `/${BASE}/${side}/tree` }],
    to: `/${folder}/${side}`,
  })
  const items = [{ path: `/${folder}/right/tree`, decision: 'replace' as const }]
  return [
    { request: copy('left'), before: {}, after: left },
    { request: copy('right'), before: {}, after: right },
    {
      request: { kind: 'move', items, to: `/${folder}/left` },
      before: { ...left, ...right },
      after: { ...merged, ...absent(right) },
    },
  ]
}

type Side = 'left' | 'right'

function treeOf(side: Side, folder: string): Contents {
  const first = side === 'left' ? 0 : FILES / 2
  const numbers = Array.from({ length: FILES }, (_, index) => first + index)
  return Object.fromEntries(numbers.map((at) => [`${folder}/f${at}`, digest(contentOf(side, at))]))
}

/** The same names without files. */
function absent(contents: Contents): Contents {
  return Object.fromEntries(Object.keys(contents).map((name) => [name, undefined]))
}

function baseOf(side: Side, at: number): string {
  return `${BASE}/${side}/tree/f${at}`
}

function contentOf(side: Side, at: number): string {
  return `${side} ${at}`.repeat(1000)
}
