/** Sign-ins at providers that have begun, and the log-out tokens that were used. Only digests of secrets are stored. */
import { type Database, UNLIMITED } from '../database.ts'
import { insertRow } from '../insert-row.ts'

/**
 * `begun`: the browser is at the provider; `taken`: its response is being checked; `answered`: the response was valid, and
 * nothing was done with it; `linkable`: the identity has no user and can be linked.
 */
export type FlowStatus = 'begun' | 'taken' | 'answered' | 'linkable'

export interface StoredFlow {
  /** Public: in the name of the cookie, and in the address of the interface. */
  id: string
  stateHash: string
  cookieHash: string
  provider: string
  purpose: 'signIn' | 'link' | 'test'
  /** Of the client's address. */
  network: string
  nonce: string
  verifier: string
  returnTo: string
  status: FlowStatus
  /** What the provider has sent, as JSON; empty before that. */
  answer: string
  expiresMs: number
}

interface Row {
  id: string
  state_hash: string
  cookie_hash: string
  provider: string
  purpose: StoredFlow['purpose']
  network: string
  nonce: string
  verifier: string
  return_to: string
  status: FlowStatus
  answer: string
  expires_ms: number
}

export class SignInFlowRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  async insert(flow: StoredFlow): Promise<void> {
    await insertRow(this.#db, 'sign_in_flows', {
      id: flow.id,
      state_hash: flow.stateHash,
      cookie_hash: flow.cookieHash,
      provider: flow.provider,
      purpose: flow.purpose,
      network: flow.network,
      nonce: flow.nonce,
      verifier: flow.verifier,
      return_to: flow.returnTo,
      status: flow.status,
      answer: flow.answer,
      expires_ms: flow.expiresMs,
    })
  }

  /** @returns a flow that has not expired */
  async find(id: string, nowMs: number): Promise<StoredFlow | undefined> {
    const row = await this.#db
      .query<Row, [string, number]>('SELECT * FROM sign_in_flows WHERE id = ? AND expires_ms > ?')
      .get(id, nowMs)
    return row ? toFlow(row) : undefined
  }

  /** Changes the status. @returns false if another request has changed it before */
  async advance(id: string, from: FlowStatus, to: FlowStatus): Promise<boolean> {
    const query = 'UPDATE sign_in_flows SET status = ? WHERE id = ? AND status = ?'
    return (await this.#db.query(query).run(to, id, from)).changes === 1
  }

  async setAnswer(id: string, answer: string): Promise<void> {
    await this.#db
      .query("UPDATE sign_in_flows SET status = 'answered', answer = ? WHERE id = ?")
      .run(answer, id)
  }

  async remove(id: string): Promise<void> {
    await this.#db.query('DELETE FROM sign_in_flows WHERE id = ?').run(id)
  }

  async removeExpired(nowMs: number): Promise<void> {
    await this.#db.query('DELETE FROM sign_in_flows WHERE expires_ms <= ?').run(nowMs)
  }

  /** Deletes the oldest flows of a network, except so many. */
  async keepNewest(network: string, count: number): Promise<void> {
    await this.#db
      .query(
        `DELETE FROM sign_in_flows WHERE id IN (
           SELECT id FROM sign_in_flows WHERE network = ? ORDER BY expires_ms DESC LIMIT ${UNLIMITED} OFFSET ?)`,
      )
      .run(network, count)
  }

  async count(): Promise<number> {
    const query = 'SELECT count(*) AS count FROM sign_in_flows'
    return (await this.#db.query<{ count: number }, []>(query).get())?.count ?? 0
  }

  /**
   * Notes that a log-out token was used.
   *
   * @param keep so many are remembered
   * @returns false if it was used before
   */
  async claimLogoutToken(tokenHash: string, expiresMs: number, keep: number): Promise<boolean> {
    await this.#db.query('DELETE FROM logout_tokens_seen WHERE expires_ms <= ?').run(Date.now())
    const insert =
      'INSERT INTO logout_tokens_seen (token_hash, expires_ms) VALUES (?, ?) ON CONFLICT DO NOTHING'
    if ((await this.#db.query(insert).run(tokenHash, expiresMs)).changes === 0) return false
    await this.#db
      .query(
        `DELETE FROM logout_tokens_seen WHERE token_hash IN (
           SELECT token_hash FROM logout_tokens_seen ORDER BY expires_ms DESC LIMIT ${UNLIMITED} OFFSET ?)`,
      )
      .run(keep)
    return true
  }
}

function toFlow(row: Row): StoredFlow {
  return {
    id: row.id,
    stateHash: row.state_hash,
    cookieHash: row.cookie_hash,
    provider: row.provider,
    purpose: row.purpose,
    network: row.network,
    nonce: row.nonce,
    verifier: row.verifier,
    returnTo: row.return_to,
    status: row.status,
    answer: row.answer,
    expiresMs: row.expires_ms,
  }
}
