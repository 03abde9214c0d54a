/** Servers with one PostgreSQL database and one served folder, which are killed, stopped and started again. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { Draw } from '../../faults/load.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { anonymous, type Client, clientWith, outcome, signIn } from '../../support/server/client.ts'
import { PASSWORD } from '../../support/server/passwords.ts'
import {
  POSTGRES_PASSWORD,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'
import { startServer, type TestServer } from '../../support/server/server.ts'

/** The trash keeps everything, so that every change can be undone. */
const KEEP_ALL = ['--trash-share', '100', '--trash-versions', '10000']
const REFUSED = ['ConnectionRefused', 'ECONNREFUSED']

export class SharedServers {
  readonly #folder = temporaryFolder()
  readonly postgres: TestPostgres
  /** The address of the database. */
  readonly url: string
  readonly root = join(this.#folder.path, 'root')
  #servers: TestServer[] = []
  /** The places of the servers that were killed. */
  readonly #dead = new Set<number>()
  /** The output of servers that were killed. */
  #earlierOutput = ''
  /** The session of the administrator, which is the same at all servers. */
  token = ''

  static async start(count: number): Promise<SharedServers> {
    const postgres = await startPostgres()
    const servers = new SharedServers(postgres, await postgres.create())
    for (let at = 0; at < count; at += 1) servers.#servers[at] = await servers.#startOne()
    const admin = await signIn(servers.#servers[0]?.url ?? '', 'admin', PASSWORD)
    servers.token = admin.token
    return servers
  }

  private constructor(postgres: TestPostgres, url: string) {
    this.postgres = postgres
    this.url = url
    mkdirSync(this.root)
  }

  get count(): number {
    return this.#servers.length
  }

  /** @returns a path below the served folder */
  at(...names: string[]): string {
    return join(this.root, ...names)
  }

  /** Ends a server at once. */
  kill(at: number): void {
    this.#dead.add(at)
    // A stopped process ends only when it goes on.
    this.#signal(at, 'SIGKILL')
    this.#signal(at, 'SIGCONT')
  }

  freeze(at: number): void {
    this.#signal(at, 'SIGSTOP')
  }

  thaw(at: number): void {
    this.#signal(at, 'SIGCONT')
  }

  /** Starts the servers again that were killed. */
  async revive(): Promise<void> {
    for (const at of this.#dead) {
      const dead = this.#servers[at]
      await dead?.stop()
      this.#earlierOutput += dead?.output() ?? ''
      this.#servers[at] = await this.#startOne()
      this.#dead.delete(at)
    }
  }

  /** Waits until each server says that it is ready. */
  async areReady(): Promise<void> {
    for (const { url } of this.#servers) {
      while ((await outcome(anonymous(url).call('GET', API.ready))) !== '200') await Bun.sleep(100)
    }
  }

  /**
   * A client of one server, by default the administrator. Each request has a connection of its own: the runtime sends one
   * again if a connection of before breaks, although the server may have got it.
   *
   * @param token empty for a visitor
   */
  clientAt(at: number, token = this.token): Client {
    const client = clientWith(this.#servers[at]?.url ?? '', token)
    return {
      token,
      call: (method, address, body, headers) =>
        client.call(method, address, body, { ...headers, Connection: 'close' }),
    }
  }

  /**
   * A client whose requests go to random servers, as through a load balancer: one that accepts no connection is left out.
   *
   * @param token of another session than that of the administrator
   */
  anyClient(draw: Draw, token = this.token): Client {
    return {
      token,
      call: async (...request) => {
        const first = draw(this.count)
        for (let turn = 0; ; turn += 1) {
          try {
            return await this.clientAt((first + turn) % this.count, token).call(...request)
          } catch (error) {
            if (!isRefused(error) || turn === this.count - 1) throw error
          }
        }
      },
    }
  }

  /** What all servers have printed. */
  output(): string {
    return this.#earlierOutput + this.#servers.map((server) => server.output()).join('')
  }

  /**
   * The newest entries of the journal with their steps, and failed items of jobs, for a reader who looks for the reason of a
   * loss.
   */
  async newestRows(): Promise<string> {
    const failed = await this.postgres.run(
      this.url,
      "SELECT id::int, job::int, path, target, state, fault, reason, failed_path FROM job_items WHERE fault <> ''",
    )
    const entries = await this.postgres.run(
      this.url,
      `SELECT j.id::int, j.writer, j.verb, j.is_done::int, j.undo_of::int, j.undone_by::int, j.job_item::int, s.kind, s.path, s.target
       FROM journal AS j LEFT JOIN journal_steps AS s ON s.entry = j.id
       WHERE j.id > (SELECT max(id) - 400 FROM journal) ORDER BY j.id, s.number`,
    )
    return [...entries, ...failed].map((row) => JSON.stringify(row)).join('\n')
  }

  async remove(): Promise<void> {
    for (const at of this.#servers.keys()) this.kill(at)
    for (const server of this.#servers) await server.stop()
    await this.postgres.remove()
    this.#folder.remove()
  }

  #signal(at: number, signal: NodeJS.Signals): void {
    this.#servers[at]?.kill(signal)
  }

  #startOne(): Promise<TestServer> {
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    return startServer({ root: this.root, database: this.url, env, args: KEEP_ALL })
  }
}

/** Whether no server has got the request. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && REFUSED.includes(String(error.code))
}
