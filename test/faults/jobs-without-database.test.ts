/** The database does not answer for a while, and a job that was running goes on by itself when it does again. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { countFiles } from '../support/files/tree.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { servedOnPostgres } from '../support/server/served-on-postgres.ts'

/** The error of a server that is shutting down (SQLSTATE 57P01), for each state of an item. */
const BREAK = `CREATE FUNCTION is_away() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'terminating connection' USING ERRCODE = '57P01'; END $$;
  CREATE TRIGGER is_away BEFORE UPDATE ON job_items FOR EACH ROW EXECUTE FUNCTION is_away()`
const REPAIR = 'DROP TRIGGER is_away ON job_items; DROP FUNCTION is_away()'
/** A request that the database does not answer fails after 5 seconds, so a job has failed by then. */
const FILES = 400

describe.skipIf(postgresMissing() !== undefined)('a database', () => {
  const served = servedOnPostgres()

  // The lease of the server lasts, so no other one takes the job over.
  test('that refuses what a job stores interrupts the job, which goes on when it does not any more', async () => {
    const { postgres, url, server } = served()
    const admin = await signIn(server.url, 'admin', PASSWORD)
    writeFileSync(join(server.root, 'file'), 'content')
    await postgres.run(url, BREAK)
    const request = { kind: 'copy' as const, items: [{ path: '/file' }], to: '/refused' }
    const { id } = await started(admin, request)
    await server.says(/job: .*terminating connection/)
    await postgres.run(url, REPAIR)
    const job = await ended(admin, id)
    expect([job.state, job.failed]).toEqual(['done', 0])
    expect(readFileSync(join(server.root, 'refused/file'), 'utf8')).toBe('content')
  }, 60_000)

  test.each(['stop', 'kill'] as const)(
    'that does not answer (%s) interrupts a job, which goes on with it',
    async (how) => {
      const { postgres, server } = served()
      const admin = await signIn(server.url, 'admin', PASSWORD)
      const disk = (...names: string[]) => join(server.root, how, ...names)
      mkdirSync(disk('from'), { recursive: true })
      mkdirSync(disk('to'))
      const names = Array.from({ length: FILES }, (_, at) => `f${at}`)
      for (const name of names) writeFileSync(disk('from', name), name)
      const items = names.map((name) => ({ path: `/${how}/from/${name}` }))
      const { id } = await started(admin, { kind: 'copy', items, to: `/${how}/to` })
      while (countFiles(disk('to')) === 0) await Bun.sleep(5)
      await postgres[how]()
      const ready = () => outcome(anonymous(server.url).call('GET', API.ready))
      while ((await ready()) === '200') await Bun.sleep(10)
      expect(countFiles(disk('to'))).toBeLessThan(FILES)
      // Each request of the job waits as long as this one, which begins later.
      expect(await outcome(admin.call('GET', `${API.jobs}/${id}`))).toBe('503 unavailable')
      await postgres.start()
      const job = await ended(admin, id)
      expect([job.state, job.failed, job.filesDone]).toEqual(['done', 0, FILES])
      for (const name of names) expect(readFileSync(disk('to', name), 'utf8')).toBe(name)
      expect(new Set(job.entries).size).toBe(FILES)
    },
    120_000,
  )
})
