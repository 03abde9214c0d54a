/** A part of the tests of the API, and a command that asks servers, with PostgreSQL databases. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DATABASE_PASSWORD_VARIABLE, REPO_ROOT } from '../support/server/executable.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../support/server/postgres.ts'
import { POSTGRES_VARIABLE } from '../support/server/test-database.ts'

const FILES = [
  'api/session',
  'api/users',
  'api/resources',
  'api/share',
  'api/trash',
  'api/journal',
  'api/jobs',
  'api/tus',
  'api/outside-changes',
  'cli/verify',
]

const isSkipped = postgresMissing() !== undefined
let postgres: TestPostgres | undefined
beforeAll(async () => {
  if (!isSkipped) postgres = await startPostgres()
})
afterAll(() => postgres?.remove())

test.skipIf(isSkipped)(
  'the API works in the same way on PostgreSQL @spec-10.14',
  async () => {
    const child = Bun.spawn(
      [
        process.execPath,
        'test',
        '--timeout=60000',
        ...FILES.map((name) => `./test/${name}.test.ts`),
      ],
      {
        cwd: REPO_ROOT,
        env: {
          ...process.env,
          [POSTGRES_VARIABLE]: await postgres?.create(),
          [DATABASE_PASSWORD_VARIABLE]: POSTGRES_PASSWORD,
        },
        stdout: 'ignore',
        stderr: 'pipe',
      },
    )
    const output = await new Response(child.stderr).text()
    expect((await child.exited) === 0 ? '' : output).toBe('')
  },
  600_000,
)
