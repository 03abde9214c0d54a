/** The server's own files inside the served folder, which is File Browser's default. */
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PERMISSIONS } from '#wire/permissions.ts'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RawResponse } from '../raw-request.ts'

const OWN = 'reserved paths are recognised by file identity, by name and by their parent folders'
/** The folder of the server's own files, relative to the served root. */
const STATE = '/state'
const FILES = ['attack.db', 'attack.db-wal', 'attack.db-journal', 'filemgr.log']

export const ownFileCases: AttackCase[] = [
  {
    id: 'G-100',
    attack: 'merging a prepared folder into the folder of the database',
    reason: OWN,
    async run(fixture) {
      await withOwner(fixture, async () => {
        for (const action of ['rename', 'copy']) {
          for (const name of FILES) {
            prepare(fixture, name)
            refused(
              await transfer(fixture, action, '/prepared/state', STATE),
              `${action} ${name}`,
              403,
            )
            assertOwnFiles(fixture)
          }
        }
        prepare(fixture, 'harmless')
        works(await transfer(fixture, 'copy', '/prepared/state', '/free'), 'a copy elsewhere')
      })
    },
  },
  {
    id: 'G-101',
    attack: 'creating or replacing a database, a journal or a log by its name',
    reason: OWN,
    async run(fixture) {
      await withOwner(fixture, async () => {
        writeFileSync(fixture.disk('prepared'), 'PREPARED')
        for (const name of FILES) {
          const url = `/api/resources${STATE}/${name}`
          refused(
            await fixture.call('owner', 'POST', `${url}?override=true`, 'x'),
            `POST ${name}`,
            403,
          )
          refused(await fixture.call('owner', 'PUT', url, 'x'), `PUT ${name}`, 403)
          refused(await fixture.call('owner', 'DELETE', url), `DELETE ${name}`, 403)
          for (const action of ['rename', 'copy']) {
            refused(await transfer(fixture, action, '/prepared', `${STATE}/${name}`), action, 403)
          }
        }
        assertOwnFiles(fixture)
        works(await fixture.call('owner', 'POST', '/api/resources/prepared2', 'x'), 'a new file')
      })
    },
  },
  {
    id: 'G-102',
    attack: 'moving or removing the parent folder of the database',
    reason: OWN,
    async run(fixture) {
      await withOwner(fixture, async () => {
        refused(await transfer(fixture, 'rename', STATE, '/away'), 'moving', 403)
        refused(await fixture.call('owner', 'DELETE', `/api/resources${STATE}/`), 'removing', 403)
        assertOwnFiles(fixture)
        works(await fixture.call('owner', 'DELETE', '/api/resources/bob/'), 'another folder', 204)
      })
    },
  },
  {
    id: 'G-103',
    attack: 'reading the database, the log or the previews, also by a hard link',
    reason: OWN,
    async run(fixture) {
      await withOwner(fixture, async () => {
        linkSync(fixture.database, fixture.disk('second'))
        const targets = ['second', ...FILES.map((name) => `state/${name}`), 'state/cache/']
        for (const target of targets) {
          for (const call of ['raw', 'resources']) {
            const address = `/api/${call}/${target}`
            // SQLite does not create this file here, but its name is reserved too.
            const isMissing = call === 'raw' && target.endsWith('-journal')
            refused(await fixture.call('owner', 'GET', address), address, isMissing ? 404 : 403)
          }
        }
        const listing = works(
          await fixture.call('owner', 'GET', `/api/resources${STATE}/`),
          'a listing',
        )
        assert(
          !/attack\.db|filemgr\.log|cache/.test(listing.text),
          'a listing shows files of the server',
        )
        const archive = works(
          await fixture.call('owner', 'GET', `/api/raw${STATE}/?algo=tar`),
          'an archive',
        )
        assert(!archive.text.includes('SQLite format'), 'an archive contains the database')
        works(await fixture.call('owner', 'GET', '/api/raw/alice/own.txt'), 'another file')
        rmSync(fixture.disk('second'))
      })
    },
  },
]

/** Runs with a user who has all permissions except admin in the whole served folder. */
async function withOwner(fixture: Fixture, run: () => Promise<void>): Promise<void> {
  const perm = Object.fromEntries(
    PERMISSIONS.map((name) => [name, name !== 'admin' && name !== 'execute']),
  )
  const response = await fixture.addUser('owner', { scope: '/', perm })
  assert(response.status === 201 || response.status === 409, 'the owner could not be added')
  fixture.tokens.owner = (await fixture.signIn('owner')).text
  await run()
}

/** Creates `prepared/state` with a file that a merge into `state` would put in the place of the server's file. */
function prepare(fixture: Fixture, name: string): void {
  rmSync(fixture.disk('prepared'), { recursive: true, force: true })
  mkdirSync(fixture.disk('prepared', 'state'), { recursive: true })
  writeFileSync(fixture.disk('prepared', 'state', name), 'PREPARED')
}

function transfer(
  fixture: Fixture,
  action: string,
  from: string,
  to: string,
): Promise<RawResponse> {
  const destination = encodeURIComponent(to)
  const query = `action=${action}&destination=${destination}&override=true`
  return fixture.call('owner', 'PATCH', `/api/resources${from}?${query}`)
}

/** The database must exist unchanged, no file of the server may be replaced, and no journal may be added. */
function assertOwnFiles(fixture: Fixture): void {
  const names = readdirSync(join(fixture.root, 'state'))
  assert(names.includes('attack.db'), 'the database is gone')
  assert(!names.includes('attack.db-journal'), 'a journal was created')
  for (const name of FILES.filter((own) => names.includes(own))) {
    const text = readFileSync(join(fixture.root, 'state', name), 'latin1')
    assert(text !== 'PREPARED' && text !== 'x', `${name} was replaced`)
    if (name === 'attack.db') assert(text.startsWith('SQLite format 3'), 'the database was changed')
  }
}
