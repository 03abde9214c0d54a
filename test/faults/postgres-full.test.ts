/** The disk of the PostgreSQL server is full: nothing new is stored, and users can still delete files. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { servedOnPostgres } from '../support/server/served-on-postgres.ts'

/** The error of a full disk (SQLSTATE 53100), for each new row of the journal. */
const FILL = `CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER is_full BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION is_full()`

describe.skipIf(postgresMissing() !== undefined)('a full disk of PostgreSQL', () => {
  const served = servedOnPostgres()

  test('refuses changes that the journal has no room for, but not the last way to free space', async () => {
    const { postgres, url, server } = served()
    const admin = await signIn(server.url, 'admin', PASSWORD)
    const upload = (name: string) => outcome(admin.call('POST', `${API.resources}/${name}`, name))
    expect(await upload('old')).toBe('200')
    await postgres.run(url, FILL)
    expect(await upload('new')).toBe('507 noSpace')
    expect(existsSync(join(server.root, 'new'))).toBe(false)
    expect(await outcome(admin.call('DELETE', `${API.resources}/old`))).toBe('204')
    expect(existsSync(join(server.root, 'old'))).toBe(false)
    await postgres.run(url, 'DROP TRIGGER is_full ON journal')
    expect(await upload('new')).toBe('200')
  })
})
