/** A change whose end the database does not answer is decided by its own server, soon after the database answers again. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { cluster, type Member } from '../support/server/cluster.ts'
import { postgresMissing } from '../support/server/postgres.ts'

/** The error of a server that is shutting down (SQLSTATE 57P01), for each entry that is marked as finished. */
const BREAK = `CREATE FUNCTION is_away() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'terminating connection' USING ERRCODE = '57P01'; END $$;
  CREATE TRIGGER is_away BEFORE UPDATE ON journal FOR EACH ROW EXECUTE FUNCTION is_away()`
const REPAIR = 'DROP TRIGGER is_away ON journal; DROP FUNCTION is_away()'

describe.skipIf(postgresMissing() !== undefined)('a change that the database cut off', () => {
  const given = cluster(2)

  // The first server also does the periodic work.
  test.each([0, 1])(
    'is decided by server %d',
    async (at) => {
      const { postgres, url, members } = given()
      const { admin } = members[at] as Member
      const name = `of-${at}`
      await postgres.run(url, BREAK)
      const save = outcome(admin.call('POST', `${API.resources}/${name}`, name))
      expect(await save).toBe('503 unavailable')
      expect(existsSync(given().at(name))).toBe(true)
      await postgres.run(url, REPAIR)
      const entry = `SELECT id::int, is_done::int FROM journal WHERE path = '/${name}'`
      const isDone = async () => (await postgres.run(url, entry))[0]?.is_done === 1
      while (!(await isDone())) await Bun.sleep(100)
      const [{ id } = {}] = await postgres.run(url, entry)
      expect(await outcome(admin.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
      expect(existsSync(given().at(name))).toBe(false)
    },
    60_000,
  )
})
