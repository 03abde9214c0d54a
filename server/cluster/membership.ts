/**
 * This process as one of those with a PostgreSQL database. It has a lease, which it renews. If it could not do so for a
 * while, by a clock of its own that does not jump, it changes nothing any more, since the lease may be over soon and others
 * then take over its work. It comes back under a new name, which has nothing of the old one's work.
 */
import {
  LEASE_SEC,
  type NewServer,
  type ServerLease,
  type ServerLeases,
} from '#server/db/postgres/server-leases.ts'
import { SilentDatabase } from '#server/db/silence.ts'
import { isRunning, ownProcessId, type ProcessId } from '#server/os/process-id.ts'
import { Fault } from '#wire/fault.ts'
import { type FolderMeetings, type Met, meet, takePart } from './name-meeting.ts'
import type { FolderPeers, Peers } from './peers.ts'

const RENEW_EVERY_MS = 5000
/** Without a renewal for this time, this process changes nothing. It is shorter than the lease, so others wait for it. */
const FRESH_MS = 12_000
/** How often it is looked whether another server renews its lease. */
const LOOK_EVERY_MS = 200
/** A renewal that takes longer counts as failed. */
const RENEWAL_MAX_MS = 5000

export interface MembershipOptions extends Omit<NewServer, 'name' | 'process'> {
  /** Tells which processes of the folder have surely ended, before their leases are over. */
  folder: FolderPeers
  /** What this process does in meetings with others; absent if it cannot change the folder. */
  meetings?: FolderMeetings | undefined
  /** A clock that does not jump. */
  nowMs(): number
  /** How often the lease is renewed; every five seconds by default. */
  renewEveryMs?: number
}

export class Membership implements Peers {
  readonly #leases: ServerLeases
  readonly #options: MembershipOptions
  #number: number
  #renewedMs: number
  #renewal: Promise<void> | undefined
  readonly #timer: Timer
  #isAnswering = false
  /** The question of another server that was answered last. */
  #answered = ''
  #log: (line: string) => void = () => undefined

  /** @throws errors of the database */
  static async join(leases: ServerLeases, options: MembershipOptions): Promise<Membership> {
    const sentMs = options.nowMs()
    const number = await leases.begin(serverOf(options))
    return new Membership(leases, options, { number, renewedMs: sentMs })
  }

  private constructor(
    leases: ServerLeases,
    options: MembershipOptions,
    begun: { number: number; renewedMs: number },
  ) {
    this.#leases = leases
    this.#options = options
    this.#number = begun.number
    this.#renewedMs = begun.renewedMs
    const { renewEveryMs = RENEW_EVERY_MS } = options
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), renewEveryMs)
    this.#timer.unref()
    const numberNow = () => this.#number
    leases.fenceWith({
      get number() {
        return numberNow()
      },
      ready: () => this.#requireFresh(),
      lost: (cause) => this.#lost(cause),
    })
  }

  /** @param log receives what an administrator should know */
  listen(log: (line: string) => void): void {
    this.#log = log
  }

  get writer(): string {
    return `${this.#options.folder.writer}-${this.#number}`
  }

  holds(writer: string): boolean {
    return writer === this.writer && this.#isFresh
  }

  async isGone(writer: string): Promise<boolean> {
    if (writer === this.writer) return false
    const { name, number } = partsOf(writer)
    if (number === undefined) return this.#options.folder.isGone(name)
    if (!(await this.#leases.isHeld(number))) return true
    if (!this.#options.folder.isGone(name)) return false
    await this.#leases.end(number)
    return true
  }

  mayWake(writer: string): boolean {
    return !this.#options.folder.isGone(partsOf(writer).name)
  }

  /** Others can start at any time. */
  isShared(): boolean {
    return true
  }

  /** A folder belongs to one database (server/served-root.ts). */
  hasForeign(): boolean {
    return false
  }

  async isMaintainer(): Promise<boolean> {
    for (;;) {
      const first = await this.#leases.first(this.#options.root)
      if (first === undefined || first.number === this.#number) return true
      if (!this.#options.folder.isGone(first.name)) return false
      await this.#leases.end(first.number)
    }
  }

  async earlier(): Promise<'none' | 'here' | 'elsewhere'> {
    const first = await this.#earlier()
    if (first === undefined) return 'none'
    return first === 'elsewhere' ? first : 'here'
  }

  async meetEarlier(): Promise<Met | undefined> {
    const { meetings, nowMs } = this.#options
    for (;;) {
      const first = await this.#earlier()
      if (!meetings || first === undefined || first === 'elsewhere') return undefined
      const met = await meet(first.number, { rows: this.#leases.meetings, meetings, nowMs })
      if (met) return met
    }
  }

  async #earlier(): Promise<ServerLease | 'elsewhere' | undefined> {
    const { folder } = this.#options
    for (;;) {
      const first = await this.#firstBefore()
      if (!first || !folder.isGone(first.name)) return first
      if (mayBeElsewhere(first) && !(await this.#ends(first))) return 'elsewhere'
      await this.#leases.end(first.number)
    }
  }

  #firstBefore(): Promise<ServerLease | undefined> {
    return this.#leases.firstBefore(this.#number, this.#options.root)
  }

  /** Waits until a server renews its lease, or has ended. @returns false if it has renewed it */
  async #ends({ number, leaseUntil }: ServerLease): Promise<boolean> {
    for (;;) {
      const first = await this.#firstBefore()
      if (first?.number !== number) return true
      if (first.leaseUntil !== leaseUntil) return false
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }

  /** Gives the lease back. */
  async leave(): Promise<void> {
    clearInterval(this.#timer)
    // The lease ends by itself if the database does not answer.
    await this.#leases.give(this.#number).catch(() => undefined)
  }

  get #isFresh(): boolean {
    return this.#options.nowMs() - this.#renewedMs < FRESH_MS
  }

  /** @throws Fault unavailable */
  async #requireFresh(): Promise<void> {
    if (this.#isFresh) return
    await this.#renew().catch((cause) => {
      throw unreachable(cause)
    })
    if (!this.#isFresh) throw unreachable(undefined)
  }

  #lost(cause: unknown): Error {
    // No name is held until the next renewal, which begins under a new one.
    this.#renewedMs = Number.NEGATIVE_INFINITY
    void this.#renew().catch(() => undefined)
    return new Fault(
      'unavailable',
      'Another server has taken over what this one was doing, because it did not respond. Look whether the change was made before you try again.',
      { cause },
    )
  }

  #renew(): Promise<void> {
    this.#renewal ??= inTime(this.#renewNow()).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renewNow(): Promise<void> {
    const sentMs = this.#options.nowMs()
    const renewed = this.#isFresh ? await this.#leases.renew(this.#number) : undefined
    if (!renewed) {
      await this.#comeBack(sentMs)
      return
    }
    this.#renewedMs = Math.max(this.#renewedMs, sentMs)
    if (renewed.asked !== '') void this.#answer(renewed.asked)
  }

  /** The server that asks may have ended: then nothing removes its question but this one. */
  async #answer(question: string): Promise<void> {
    if (this.#isAnswering) return
    this.#isAnswering = true
    const [rows, number] = [this.#leases.meetings, this.#number]
    try {
      if (question === this.#answered) return await rows.end(number, question)
      await takePart(question, { rows, number, meetings: this.#options.meetings })
      this.#answered = question
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#log(`A server that starts was not answered: ${reason}`)
    } finally {
      this.#isAnswering = false
    }
  }

  /** Takes a new number. What was begun under the old one is taken over, here or elsewhere. */
  async #comeBack(sentMs: number): Promise<void> {
    const old = this.#number
    this.#renewedMs = Number.NEGATIVE_INFINITY
    const number = await this.#leases.begin(serverOf(this.#options))
    await this.#leases.give(old)
    this.#number = number
    this.#renewedMs = sentMs
    this.#log(
      `This server could not renew its lease of ${LEASE_SEC} seconds in the database. What it was doing is taken over; new changes are made again.`,
    )
  }
}

function serverOf({ folder, root, isServing }: MembershipOptions): NewServer {
  return { name: folder.writer, root, isServing, process: JSON.stringify(ownProcessId()) }
}

/**
 * Whether a server that is not in the folder may run with another folder. In another container of this machine, its lock in the
 * folder tells, which is free.
 */
function mayBeElsewhere({ process }: ServerLease): boolean {
  const [other, own] = [JSON.parse(process) as ProcessId, ownProcessId()]
  return isRunning(other, own) ?? other.boot !== own.boot
}

/** @returns no number for a name that a process with a database file has written */
function partsOf(writer: string): { name: string; number: number | undefined } {
  const [, name, number] = /^(.+)-(\d+)$/.exec(writer) ?? []
  return { name: name ?? writer, number: number === undefined ? undefined : Number(number) }
}

function unreachable(cause: unknown): Fault {
  return new SilentDatabase(
    `The database has not answered this server for ${FRESH_MS / 1000} seconds, so nothing is changed until it does.`,
    { cause },
  )
}

/** @throws Error if it takes too long */
async function inTime(renewal: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error('The lease was not renewed in time.')),
    RENEWAL_MAX_MS,
  )
  await Promise.race([renewal, late.promise]).finally(() => clearTimeout(timer))
}
