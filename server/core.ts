/** People, settings and links, whether or not a server runs: what the command line needs. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { hashPassword } from './accounts/passwords.ts'
import { Sessions } from './accounts/sessions.ts'
import { Throttle } from './accounts/throttle.ts'
import { Tokens } from './accounts/tokens.ts'
import { Users } from './accounts/users.ts'
import type { Config } from './config/config.ts'
import { refuseUntaken } from './config/untaken-database.ts'
import { AuditRows } from './db/audit.ts'
import { Commits } from './db/commits.ts'
import { copyDatabase, type PackedFile } from './db/copy.ts'
import { JobRows } from './db/jobs.ts'
import { JournalRows } from './db/journal.ts'
import { KeptRows } from './db/kept.ts'
import { openDatabase } from './db/open.ts'
import { SessionRows } from './db/sessions.ts'
import { SettingRows } from './db/settings.ts'
import { ShareRows } from './db/shares.ts'
import { UploadRows } from './db/uploads.ts'
import { UserRows } from './db/users.ts'
import { FlushQueue } from './flush/flush-queue.ts'
import { Installation } from './settings/installation.ts'
import { Settings } from './settings/settings.ts'
import { Takeovers } from './settings/takeovers.ts'
import { Shares } from './shares/shares.ts'

export interface Core {
  /** With what the database keeps of this installation. */
  config: Config
  installation: Installation
  users: Users
  sessions: Sessions
  settings: Settings
  throttle: Throttle
  shares: Shares
  takeovers: Takeovers
  /** Who forces what changes to the disk, in the served tree and in the database. */
  flushes: FlushQueue
  /** Runs `work` in one transaction: all that it changes is kept, or nothing when it throws. */
  atomically<T>(work: () => T): T
  /** Writes a copy of the database to a file, with other files in it. @throws Error of the disk */
  copyTo(path: string, pack: readonly PackedFile[]): void
  close(): void
}

/** Tables that only a server reads and writes. */
interface ServingRows {
  audit: AuditRows
  users: UserRows
  uploads: UploadRows
  journal: JournalRows
  kept: KeptRows
  jobs: JobRows
}

const KEY_BYTES = 32

/**
 * Opens the database and the services on it. A missing database is made, readable by its owner alone.
 *
 * @param given the options as far as they are known without the database
 * @param options `takesOver`: a database that is made is for an installation of File Browser
 * @throws Fault with a sentence for the operator
 */
export function openCore(
  given: Config,
  options: { takesOver?: boolean } = {},
): Core & { rows: ServingRows } {
  const path = given.paths.database
  if (!existsSync(path)) {
    if (!options.takesOver) refuseUntaken(given)
    makePrivateFile(path)
  }
  const db = openDatabase(path)
  const rows = new SettingRows(db)
  const installation = new Installation(rows)
  const config = given.withStored(installation.get())
  const settings = new Settings(rows, config)
  const relaxed = config.text('durability') === 'relaxed'
  const flushes = new FlushQueue({ relaxed })
  const commits = new Commits(db, (log) => flushes.shared(log), { relaxed })
  const userRows = new UserRows(db)
  const key = Buffer.from(
    String(rows.ensure('key', randomBytes(KEY_BYTES).toString('base64'))),
    'base64',
  )
  const lifetimeMs = config.number('tokenExpirationTime') * 1000
  const sessions = new Sessions(new SessionRows(db), userRows, new Tokens(key), {
    lifetimeMs,
    outsideVersion: () => rows.outsideVersion(),
  })
  const shares = new Shares(
    new ShareRows(db, (work) => commits.lazily(work)),
    userRows,
    hashPassword,
  )
  const users = new Users(userRows, settings, sessions, (...change) =>
    shares.homeChanged(...change),
  )
  const throttle = new Throttle()
  return {
    config,
    installation,
    users,
    sessions,
    settings,
    throttle,
    shares,
    takeovers: new Takeovers(rows),
    flushes,
    atomically: (work) => userRows.atomically(work),
    rows: {
      audit: new AuditRows(db, (work) => commits.writeSoon(work)),
      users: userRows,
      uploads: new UploadRows(db, commits),
      journal: new JournalRows(db, commits),
      kept: new KeptRows(db),
      jobs: new JobRows(db, commits),
    },
    copyTo: (to, pack) => copyDatabase(db, to, pack),
    close: () => {
      commits.close()
      db.close()
      flushes.close()
    },
  }
}

/**
 * Makes the first administrator when there is nobody yet.
 *
 * @returns the name, and the password when it was made up here; undefined when people exist already
 * @throws Fault badRequest for a hash that is none
 */
export async function ensureAdministrator({
  users,
  config,
}: Core): Promise<{ username: string; password: string | undefined } | undefined> {
  if (users.count() > 0) return undefined
  const username = config.text('username')
  const hash = config.text('passwordHash')
  const perm = { perm: permissionsOf('admin') }
  if (hash) {
    users.createHashed(username, hash, perm)
    return { username, password: undefined }
  }
  const password = randomBytes(12).toString('base64url')
  users.createHashed(username, await hashPassword(password), perm)
  return { username, password }
}

/** SQLite gives its companions the mode of the main file, so that file is made first. */
function makePrivateFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (cause) {
    throw new Fault(
      'forbidden',
      `The database ${path} cannot be made. Name another file with --database.`,
      { cause },
    )
  }
}
