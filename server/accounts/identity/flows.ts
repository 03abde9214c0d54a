/**
 * Log-ins that have begun at a provider. A flow belongs to one browser, which holds its cookie, and each step of it is made
 * once.
 */
import { timingSafeEqual } from 'node:crypto'
import { randomId } from '#server/db/random-id.ts'
import type { FlowStatus, SignInFlowRows, StoredFlow } from '#server/db/rows/sign-in-flows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'

/** How long a user may take at the provider. */
export const FLOW_MS = 10 * 60_000

/** The page of the interface to which a log-in and a log-out at the provider return. */
export const LOGIN_PAGE = '/login'

/** A log-in, a link with a user, or a test of an administrator. */
export type Purpose = StoredFlow['purpose']

/** Random bytes of the state, the cookie, the nonce and the verifier. */
const SECRET_BYTES = 32
/** Characters of the digest of the state that name the flow. */
const ID_CHARS = 16

export interface FlowRequest {
  provider: string
  purpose: Purpose
  network: string
  returnTo: string
}

/** A new flow with its secrets, of which only digests are stored. */
export interface NewFlow {
  id: string
  state: string
  cookie: string
  nonce: string
  verifier: string
}

export class Flows {
  readonly #rows: SignInFlowRows

  constructor(rows: SignInFlowRows) {
    this.#rows = rows
  }

  /**
   * Begins a flow. The oldest one of a network ends if it has too many.
   *
   * @throws Fault unavailable (too many in all)
   */
  async begin({ provider, purpose, network, returnTo }: FlowRequest): Promise<NewFlow> {
    const [state, cookie] = [randomId(SECRET_BYTES), randomId(SECRET_BYTES)]
    const [nonce, verifier] = [randomId(SECRET_BYTES), randomId(SECRET_BYTES)]
    const stateHash = digestOf(state)
    const id = stateHash.slice(0, ID_CHARS)
    const nowMs = Date.now()
    const flow: StoredFlow = {
      id,
      stateHash,
      cookieHash: digestOf(cookie),
      provider,
      purpose,
      network,
      nonce,
      verifier,
      returnTo,
      status: 'begun',
      answer: '',
      expiresMs: nowMs + FLOW_MS,
    }
    await this.#rows.atomically(async () => {
      await this.#rows.removeExpired(nowMs)
      await this.#rows.keepNewest(network, SERVER_LIMITS.signInFlowsOfNetworkMax - 1)
      if ((await this.#rows.count()) >= SERVER_LIMITS.signInFlowsMax) {
        throw new Fault('unavailable', 'Too many log-ins are in progress. Try again later.')
      }
      await this.#rows.insert(flow)
    })
    return { id, state, cookie, nonce, verifier }
  }

  /**
   * Takes the flow of a response of the provider: once, and only in the browser where it began.
   *
   * @param cookieOf returns the cookie of a flow
   * @throws Fault expired
   */
  async take(
    provider: string,
    state: string,
    cookieOf: (id: string) => string | undefined,
  ): Promise<StoredFlow> {
    const stateHash = digestOf(state)
    const id = stateHash.slice(0, ID_CHARS)
    const flow = await this.get(id, cookieOf(id))
    const isIts = flow.provider === provider && isSame(flow.stateHash, stateHash)
    if (!isIts || !(await this.advance(id, 'begun', 'taken'))) throw flowEnded()
    return flow
  }

  /** @throws Fault expired (there is no such flow, or it began in another browser) */
  async get(id: string, cookie: string | undefined): Promise<StoredFlow> {
    const flow = await this.#rows.find(id, Date.now())
    if (flow && cookie !== undefined && isSame(flow.cookieHash, digestOf(cookie))) return flow
    throw flowEnded()
  }

  /** @returns false if another request was first */
  advance(id: string, from: FlowStatus, to: FlowStatus): Promise<boolean> {
    return this.#rows.advance(id, from, to)
  }

  async setAnswer(id: string, answer: string): Promise<void> {
    await this.#rows.setAnswer(id, answer)
  }

  async remove(id: string): Promise<void> {
    await this.#rows.remove(id)
  }
}

export function flowEnded(): Fault {
  return new Fault('expired', 'The log-in took too long, or began in another browser. Try again.', {
    reason: 'loginEnded',
  })
}

export function digestOf(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex')
}

/** @param a, b digests of the same length */
function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
