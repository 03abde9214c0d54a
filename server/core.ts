/** Users, settings and shares, with or without a running server; the base of the command line. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppPasswords } from '#server/accounts/app-passwords/app-passwords.ts'
import { KnownNetworks } from '#server/accounts/credentials/known-networks.ts'
import { hashPassword } from '#server/accounts/credentials/passwords.ts'
import { Sessions } from '#server/accounts/credentials/sessions.ts'
import { Throttle } from '#server/accounts/credentials/throttle.ts'
import { Tokens } from '#server/accounts/credentials/tokens.ts'
import { Directories } from '#server/accounts/directory/directories.ts'
import { Providers } from '#server/accounts/identity/providers.ts'
import { Passkeys } from '#server/accounts/passkeys/passkeys.ts'
import { SecondFactors } from '#server/accounts/second-factor/second-factors.ts'
import { Invitations } from '#server/accounts/users/invitations.ts'
import { Users } from '#server/accounts/users/users.ts'
import { AppPasswordRows } from '#server/db/rows/app-passwords.ts'
import { AuditRows } from '#server/db/rows/audit.ts'
import { DirectoryRows } from '#server/db/rows/directories.ts'
import { FailureRows } from '#server/db/rows/failures.ts'
import { IdentityRows } from '#server/db/rows/identities.ts'
import { InvitationRows } from '#server/db/rows/invitations.ts'
import { JobWatch } from '#server/db/rows/job-watch.ts'
import { JobRows } from '#server/db/rows/jobs.ts'
import { JournalRows } from '#server/db/rows/journal.ts'
import { PasskeyRows } from '#server/db/rows/passkeys.ts'
import { PersonalRows } from '#server/db/rows/personal.ts'
import { ProviderRows } from '#server/db/rows/providers.ts'
import { SecondFactorRows } from '#server/db/rows/second-factors.ts'
import { SessionRows } from '#server/db/rows/sessions.ts'
import { SettingRows } from '#server/db/rows/settings.ts'
import { ShareRows } from '#server/db/rows/shares.ts'
import { SignInFlowRows } from '#server/db/rows/sign-in-flows.ts'
import { TrashRows } from '#server/db/rows/trash.ts'
import { UploadRows } from '#server/db/rows/uploads.ts'
import { UserRows } from '#server/db/rows/users.ts'
import { WriteCheck } from '#server/db/rows/write-check.ts'
import { Fault } from '#wire/fault.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { Appearances } from './accounts/appearances.ts'
import { Favourites } from './accounts/favourites.ts'
import { FirstStepsList } from './accounts/first-steps.ts'
import { Cluster } from './cluster/cluster.ts'
import type { Config } from './config/config.ts'
import type { DatabaseAddress, ServerAddress } from './config/database-address.ts'
import { refuseEmptyDatabase } from './config/database-to-import.ts'
import type { Database } from './db/database.ts'
import { readStoredSetting } from './db/open.ts'
import { type OpenedDatabase, openSqlite } from './db/opened.ts'
import type { Waiting } from './db/postgres/wait.ts'
import type { SpaceReserve } from './db/reserve.ts'
import { RootRows } from './db/roots.ts'
import type { RunningAttempts } from './db/running-attempts.ts'
import { FlushQueue } from './flush/flush-queue.ts'
import { withFolderLock } from './os/lock.ts'
import { ImportHistory } from './settings/import-history.ts'
import { INSTALLATION_KEY, Installation, storedOptions } from './settings/installation.ts'
import { LastServed } from './settings/last-served.ts'
import { SeenTime } from './settings/seen-time.ts'
import { firstSettings, Settings } from './settings/settings.ts'
import { Shares } from './shares/shares.ts'

export interface Core extends Omit<OpenedDatabase, 'rows' | 'leases'> {
  /** The options, including those stored in the database. */
  config: Config
  /** The options stored in the database. */
  installation: Installation
  users: Users
  sessions: Sessions
  settings: Settings
  /** Blocks an account or address after repeated wrong passwords. */
  throttle: Throttle
  appPasswords: AppPasswords
  secondFactors: SecondFactors
  passkeys: Passkeys
  /** The OpenID Connect providers. */
  providers: Providers
  directories: Directories
  invitations: Invitations
  firstSteps: FirstStepsList
  appearances: Appearances
  favourites: Favourites
  knownNetworks: KnownNetworks
  shares: Shares
  importHistory: ImportHistory
  lastServed: LastServed
  /** The other processes with the database. */
  cluster: Cluster
  /** Flushes files of the served tree, and the log of the database, to the disk. */
  flushes: FlushQueue
  /** The time for the age of what is deleted by its age. */
  seenTime: SeenTime
  /** Finds out whether the database can be written. */
  writeCheck: WriteCheck
  /** Changes when another connection has written to the database. */
  outsideVersion(): Promise<string>
  /** Runs `work` in one transaction, which is rolled back if it throws. */
  atomically<T>(work: () => Promise<T>): Promise<T>
}

/** Tables whose services are created in app.ts and tree.ts. */
export interface ServingRows {
  audit: AuditRows
  users: UserRows
  uploads: UploadRows
  journal: JournalRows
  trash: TrashRows
  roots: RootRows
  jobs: JobRows
  jobWatch: JobWatch
  failures: FailureRows
  appPasswords: AppPasswordRows
  identities: IdentityRows
  signInFlows: SignInFlowRows
}

const KEY_BYTES = 32

/**
 * Opens the database and its services. A missing file is created with access for its owner only; a database of a server
 * exists, and gets tables if it has none.
 *
 * @param initial the options without those in the database
 * @param options `takesOver`: a new database is for the import of an installation of File Browser; `isCreating`: the
 *   call is inside `whileCreating`
 * @throws Fault with a message for the operator
 */
export async function openCore(
  initial: Config,
  options: { takesOver?: boolean; isCreating?: boolean } = {},
): Promise<Core & { rows: ServingRows }> {
  const address = initial.paths.database
  const {
    rows: db,
    leases,
    ...opened
  } = address.kind === 'file'
    ? await openFile(address.path, initial, options, {
        flushLog: (log) => flushes.shared(log),
        isRelaxed: () => relaxed,
      })
    : await openOnServer(address, () => relaxed)
  const { reserve, attempts } = opened
  const cluster = new Cluster(leases)
  const settingRows = new SettingRows(db)
  const installation = new Installation(settingRows)
  const config = initial.withStored(await installation.get())
  const relaxed = config.text('durability') === 'relaxed'
  const flushes = new FlushQueue({ relaxed })
  const settings = await Settings.open(settingRows, config)
  const rows = servingRows(db, opened.nowMs)
  // A file is known by its folder; a database on a server could be named from anywhere.
  if (address.kind === 'postgres') await rows.roots.claimFolders()
  return {
    config,
    installation,
    settings,
    ...(await createAccounts(db, { config, settings, settingRows, rows, reserve, attempts })),
    importHistory: new ImportHistory(settingRows),
    lastServed: new LastServed(settingRows),
    cluster,
    flushes,
    seenTime: await SeenTime.open(settingRows, db),
    ...opened,
    writeCheck: new WriteCheck(settingRows, db),
    outsideVersion: () => settingRows.outsideVersion(),
    atomically: (work) => db.transaction(work),
    rows,
    close: async () => {
      await cluster.close()
      await opened.close()
      flushes.close()
    },
  }
}

/**
 * Whether there is a database: a file, or tables on the server. Nothing is created.
 *
 * @throws Fault if the server does not answer or refuses
 */
export async function databaseExists(address: DatabaseAddress): Promise<boolean> {
  if (address.kind === 'file') return existsSync(address.path)
  const { hasTables } = await import('./db/postgres/open-postgres.ts')
  return hasTables(secretOf(address))
}

/**
 * Waits for the server of the database, if it is on one.
 *
 * @returns false if the wait was stopped
 * @throws Fault if it does not answer in the time
 */
export async function waitForDatabase(address: DatabaseAddress, wait: Waiting): Promise<boolean> {
  if (address.kind === 'file') return true
  const { waitForPostgres } = await import('./db/postgres/wait.ts')
  return waitForPostgres(secretOf(address), wait)
}

/** Reads the password. @throws Fault */
function secretOf(address: ServerAddress): { url: string; password: string } {
  return { url: address.url, password: address.password() }
}

/** What only a database on a server needs is loaded then, since it delays the start of every command. */
async function openOnServer(
  address: ServerAddress,
  isRelaxed: () => boolean,
): Promise<OpenedDatabase> {
  const { openServer } = await import('./db/open-server.ts')
  return openServer(secretOf(address), { isRelaxed })
}

async function openFile(
  path: string,
  initial: Config,
  options: { takesOver?: boolean; isCreating?: boolean },
  durability: Parameters<typeof openSqlite>[2],
): Promise<OpenedDatabase> {
  await ensureDatabase(path, initial, options)
  return openSqlite(path, initial.number('reserve'), durability)
}

/** Creates the database file if it is missing. @throws Fault */
async function ensureDatabase(
  path: string,
  initial: Config,
  { takesOver = false, isCreating = false }: { takesOver?: boolean; isCreating?: boolean },
): Promise<void> {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return
    throw new Fault('badRequest', `The database ${path} is a folder. Name a file with --database.`)
  }
  if (!takesOver) refuseEmptyDatabase(initial)
  // Checked before the file exists, so that a refused start leaves no database.
  firstSettings(initial)
  if (isCreating) makePrivateFile(path)
  else await whileCreating(path, () => makePrivateFile(path))
}

function servingRows(db: Database, nowMs: () => number): ServingRows {
  return {
    audit: new AuditRows(db),
    users: new UserRows(db),
    uploads: new UploadRows(db),
    journal: new JournalRows(db),
    trash: new TrashRows(db),
    roots: new RootRows(db),
    failures: new FailureRows(db, nowMs),
    appPasswords: new AppPasswordRows(db),
    identities: new IdentityRows(db),
    signInFlows: new SignInFlowRows(db),
    jobWatch: new JobWatch(db),
    jobs: new JobRows(db),
  }
}

interface AccountDeps {
  config: Config
  settings: Settings
  settingRows: SettingRows
  rows: ServingRows
  reserve: SpaceReserve
  attempts: RunningAttempts | undefined
}

/** The users with all that belongs to them. Their shares follow a change of their home folders. */
async function createAccounts(
  db: Database,
  { config, settings, settingRows, rows, reserve, attempts }: AccountDeps,
) {
  const tokens = new Tokens(await tokenKey(settingRows))
  const sessions = new Sessions(new SessionRows(db), rows.users, tokens, {
    lifetimeMs: config.number('tokenExpirationTime') * 1000,
    outsideVersion: () => settingRows.outsideVersion(),
    durably: (work) => reserve.whenFull(() => db.transaction(work)),
  })
  const shares = new Shares(new ShareRows(db), rows.users, hashPassword)
  const users = new Users(rows.users, settings, sessions, (...change) =>
    shares.homeChanged(...change),
  )
  const atomically = <T>(work: () => Promise<T>) => db.transaction(work)
  const personal = new PersonalRows(db)
  const passkeyRows = new PasskeyRows(db)
  const endSessions = (issuer: string) => sessions.endByIssuer(issuer)
  return {
    users,
    sessions,
    shares,
    throttle: new Throttle(rows.failures, attempts),
    appPasswords: new AppPasswords(rows.appPasswords),
    secondFactors: new SecondFactors(new SecondFactorRows(db), passkeyRows, atomically),
    passkeys: new Passkeys(passkeyRows, tokens),
    providers: new Providers(new ProviderRows(db), endSessions),
    directories: new Directories(new DirectoryRows(db), endSessions),
    invitations: new Invitations(new InvitationRows(db), users, atomically),
    firstSteps: new FirstStepsList(personal, users),
    appearances: new Appearances(personal),
    favourites: new Favourites(personal),
    knownNetworks: new KnownNetworks(personal),
  }
}

/** The key that signs tokens. It is created with the database. */
async function tokenKey(rows: SettingRows): Promise<Buffer> {
  const key = await rows.ensure('key', randomBytes(KEY_BYTES).toString('base64'))
  return Buffer.from(String(key), 'base64')
}

/**
 * Reads the served folder that is stored in a database, without changing it.
 *
 * @returns undefined if there is none
 * @throws Fault with a message for the operator
 */
export function storedRoot(database: string): string | undefined {
  const root = storedOptions(readStoredSetting(database, INSTALLATION_KEY)).root
  return typeof root === 'string' ? root : undefined
}

/**
 * Creates the first administrator if there are no users.
 *
 * @returns the name, and the password if it was generated; undefined if users exist
 * @throws Fault badRequest for an invalid hash
 */
export async function ensureAdministrator({
  users,
  config,
  firstSteps,
  atomically,
}: Core): Promise<{ username: string; password: string | undefined } | undefined> {
  if ((await users.count()) > 0) return undefined
  const username = config.text('username')
  const given = config.text('passwordHash')
  const password = given ? undefined : randomBytes(12).toString('base64url')
  const hash = password === undefined ? given : await hashPassword(password)
  const perm = { perm: permissionsOf('admin') }
  // Another server that starts at the same time may have been first.
  const isCreated = await atomically(async () => {
    if ((await users.count()) > 0) return false
    await firstSteps.begin(await users.createHashed(username, hash, perm))
    return true
  })
  return isCreated ? { username, password } : undefined
}

/**
 * Creates the missing folder of a database, and runs `work` while no other process creates a database in it. It must not
 * be called inside `work`.
 *
 * @throws Fault forbidden (the folder cannot be created or opened); errors of `work`
 */
export async function whileCreating<T>(database: string, work: () => T | Promise<T>): Promise<T> {
  let isOpen = false
  try {
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
    return await withFolderLock(dirname(database), () => {
      isOpen = true
      return work()
    })
  } catch (cause) {
    throw isOpen ? cause : cannotCreate(database, cause)
  }
}

/** Creates the database file for its owner only. SQLite gives its other files, such as `-wal`, the same mode. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (cause) {
    throw cannotCreate(path, cause)
  }
}

function cannotCreate(path: string, cause: unknown): Fault {
  return new Fault(
    'forbidden',
    `The database ${path} cannot be created. Name another file with --database.`,
    { cause },
  )
}
