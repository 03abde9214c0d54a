/** The server's own files inside the served folder, which is File Browser's default. */
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PERMISSIONS } from '#wire/permissions.ts'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import type { RawResponse } from '../raw-request.ts'

const OWN = 'reserved paths are recognised by file identity, by name and by their parent folders'
/** The folder of the server's own files, relative to the served root. */
const STATE = '/state'
/** SQLite does not create the journal here, but its name is reserved too. */
const JOURNAL = 'attack.db-journal'
const EXISTING = ['attack.db', 'attack.db-wal', 'filemgr.log']
const FILES = [...EXISTING, JOURNAL]
/** The magic number of a database, of its write-ahead log, and the beginning of the first line of a log. */
const FIRST_BYTES = 8

const PREVIEW = 'content of a preview'

export const ownFileCases: AttackCase[] = [
  {
    id: 'G-100',
    attack: 'merging a prepared folder into the folder of the database',
    reason: OWN,
    async run(fixture) {
      await withOwner(fixture, async (assertUnchanged) => {
        for (const action of ['rename', 'copy']) {
          for (const name of FILES) {
            prepare(fixture, name)
            refused(
              await transfer(fixture, action, '/prepared/state', STATE),
              `${action} ${name}`,
              403,
            )
            assertUnchanged()
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
      await withOwner(fixture, async (assertUnchanged) => {
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
        assertUnchanged()
        works(await fixture.call('owner', 'POST', '/api/resources/prepared2', 'x'), 'a new file')
      })
    },
  },
  {
    id: 'G-102',
    attack: 'moving or removing the parent folder of the database',
    reason: OWN,
    async run(fixture) {
      await withOwner(fixture, async (assertUnchanged) => {
        refused(await transfer(fixture, 'rename', STATE, '/away'), 'moving', 403)
        refused(await fixture.call('owner', 'DELETE', `/api/resources${STATE}/`), 'removing', 403)
        assertUnchanged()
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
        linkSync(fixture.disk('alice/own.txt'), fixture.disk('linked.txt'))
        const preview = fixture.disk('state/cache/preview')
        mkdirSync(dirname(preview), { recursive: true })
        writeFileSync(preview, PREVIEW)
        const files = [...FILES, 'cache/', 'cache/preview'].map((name) => `state/${name}`)
        for (const target of ['second', ...files]) {
          for (const call of ['raw', 'resources']) {
            const address = `/api/${call}/${target}`
            const isMissing = call === 'raw' && target.endsWith(JOURNAL)
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
        const [logged = ''] = readFileSync(fixture.disk('state/filemgr.log'), 'utf8').split('\n')
        assert(logged !== '', 'the log is empty')
        for (const folder of ['/', `${STATE}/`]) {
          const target = `/api/raw${folder}?algo=tar`
          const { text } = works(await fixture.call('owner', 'GET', target), target)
          for (const secret of ['SQLite format', logged, PREVIEW]) {
            assert(!text.includes(secret), `${target} contains ${secret}`)
          }
          // The hard link of another file is an ordinary file.
          const hasLinked = text.split(fixture.mark('alice/own.txt')).length === 3
          assert(hasLinked === (folder === '/'), `${target} has other files`)
        }
        works(await fixture.call('owner', 'GET', '/api/raw/linked.txt'), 'another hard link')
        rmSync(preview)
      })
    },
  },
]

/**
 * Runs with a user who has all permissions except admin and execute in the whole served folder.
 *
 * @param run receives a function that throws unless the server's own files are those from before
 */
async function withOwner(
  fixture: Fixture,
  run: (assertUnchanged: () => void) => Promise<void>,
): Promise<void> {
  const perm = Object.fromEntries(
    PERMISSIONS.map((name) => [name, name !== 'admin' && name !== 'execute']),
  )
  const response = await fixture.addUser('owner', { scope: '/', perm })
  assert(response.status === 201 || response.status === 409, 'the owner could not be added')
  fixture.tokens.owner = works(await fixture.signIn('owner'), 'signing in').text
  const before = EXISTING.map((name) => ownFile(fixture, name))
  await run(() => {
    for (const { name, inode, beginning } of before) {
      assert(fixture.exists('state', name), `${name} is gone`)
      const now = ownFile(fixture, name)
      assert(now.inode === inode && now.beginning.startsWith(beginning), `${name} was replaced`)
    }
    assert(!fixture.exists('state', JOURNAL), 'a journal was created')
  })
}

/** The server adds to these files, but their inodes stay, and so do their first bytes once they are written. */
function ownFile(fixture: Fixture, name: string) {
  const path = fixture.disk('state', name)
  const beginning = readFileSync(path, 'latin1').slice(0, FIRST_BYTES)
  return { name, inode: statSync(path).ino, beginning }
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
