/** The composition root: opens the database and the served folder, and creates every service once. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Scope } from '#server/access/scope/scope.ts'
import { Scopes } from '#server/access/scope/scopes.ts'
import { AppPasswordAccess } from '#server/accounts/app-passwords/app-password-access.ts'
import { verifyPassword } from '#server/accounts/credentials/passwords.ts'
import type { Throttle } from '#server/accounts/credentials/throttle.ts'
import { DirectorySignIn } from '#server/accounts/directory/directory-sign-in.ts'
import { Backchannel } from '#server/accounts/identity/backchannel.ts'
import { Flows } from '#server/accounts/identity/flows.ts'
import { IdentitySignIn } from '#server/accounts/identity/identity-sign-in.ts'
import { IdentityUsers } from '#server/accounts/identity/identity-users.ts'
import { ProviderConnections } from '#server/accounts/identity/provider-connections.ts'
import { InvitationAccess } from '#server/accounts/sign-in/invitation-access.ts'
import { methodSettings, SignIn } from '#server/accounts/sign-in/sign-in.ts'
import { SignUp } from '#server/accounts/sign-in/sign-up.ts'
import { Confirmations } from '#server/accounts/users/confirmations.ts'
import type { HomeFolders } from '#server/accounts/users/home.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { UserAdmin } from '#server/accounts/users/user-admin.ts'
import { ArchiveLists } from '#server/archives/read/contents.ts'
import { CrcCache } from '#server/archives/write/crc-cache.ts'
import { LeftOutNotices } from '#server/archives/write/left-out-notices.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { FolderWatchers } from '#server/files/listing/folder-watchers.ts'
import { FilmSubtitles } from '#server/files/media/film-subtitles.ts'
import { MediaReader } from '#server/files/media/media-facts.ts'
import { Previews } from '#server/files/previews/preview.ts'
import { openPreviewCache } from '#server/files/previews/preview-cache.ts'
import { SvgRenderer } from '#server/files/previews/svg-renderer.ts'
import { Uploads } from '#server/files/uploads/uploads.ts'
import { UNIX } from '#wire/api/session.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import type { Origin } from './access/recorder.ts'
import { Enforcement } from './accounts/second-factor/enforcement.ts'
import { Audit } from './audit/audit.ts'
import { Outbox } from './cluster/outbox.ts'
import type { Config } from './config/config.ts'
import { baseUrl } from './config/load.ts'
import { reachableHosts } from './config/reachable-hosts.ts'
import { reservedPaths } from './config/reserved-paths.ts'
import { type Core, openCore, type ServingRows } from './core.ts'
import { createImports } from './imports/import-source.ts'
import { WorkerIndex } from './index/name-index.ts'
import { createPicturePrograms, openShell, type PicturePrograms } from './isolation.ts'
import { auditRecordOf } from './jobs/audit-record.ts'
import { Jobs } from './jobs/jobs.ts'
import { SnapshotVersions } from './journal/snapshot-versions.ts'
import { rejectUnsafeSignup } from './settings/normalize.ts'
import { publicSettings } from './settings/public.ts'
import { ShareOpener, type ThrottledCompare } from './shares/share-opener.ts'
import { EventCommands } from './shell/hooks.ts'
import { ownProgram } from './shell/program.ts'
import type { Shell } from './shell/shell.ts'
import type { Storage } from './storage/storage.ts'
import { checkServedFolder, openTree, servedFolder, type Tree } from './tree.ts'
import { VERSION } from './version.ts'

/** The services of a running server. */
export interface App extends Core {
  /** The path of the served folder on the disk. */
  root: string
  baseURL: string
  readOnly: boolean
  uploads: Uploads | undefined
  confirmations: Confirmations
  enforcement: Enforcement
  userAdmin: UserAdmin
  signIn: SignIn
  signUp: SignUp
  invitationAccess: InvitationAccess
  identitySignIn: IdentitySignIn
  directorySignIn: DirectorySignIn
  backchannel: Backchannel
  appPasswordAccess: AppPasswordAccess
  /** The hosts under which other devices reach the server. */
  reachableHosts(): string[]
  previews: Previews
  /** Reads which files the archives of the tree contain. */
  archiveLists: ArchiveLists
  /** Reads the metadata of pictures and videos. */
  media: MediaReader
  filmSubtitles: FilmSubtitles
  folderWatchers: FolderWatchers
  /** Tells other servers with the same database of changes, and this one of theirs; undefined if there can be none. */
  outbox: Outbox | undefined
  /** Tells the session that downloads an archive what the archive lacks. */
  leftOut: LeftOutNotices
  /** The index of names; undefined if it is disabled. */
  index: WorkerIndex | undefined
  audit: Audit
  shareOpener: ShareOpener
  /**
   * @throws Fault unavailable with the reason if the database cannot be written, the served folder not be read, or
   *   `refuseReady` was called
   */
  checkReady(): Promise<void>
  /** From now on `checkReady` says that the server is stopping. */
  refuseReady(): void
  /** The checksums (CRC-32) of files that were sent in zips, so that a resumed download need not read them again. */
  zipChecks: CrcCache
  shell: Shell
  eventCommands: EventCommands
  /** The served files with their journal and trash. */
  tree: Tree
  jobs: Jobs
  snapshots: SnapshotVersions
  /** @param current returns the user as stored now, for checks after a long request; throws if the session has ended */
  scopeOf(user: StoredUser, current?: () => Promise<StoredUser>, origin?: Origin): Scope
  publicSettings(): ReturnType<typeof publicSettings>
}

/**
 * Opens everything for serving.
 *
 * @param initial the options without those in the database
 * @throws Fault with a message for the operator, such as a missing or unreadable root, or a damaged or newer database
 */
export async function openApp(initial: Config): Promise<App> {
  const { database } = initial.paths
  // Without a database that names another root, the folder is checked before a database is created.
  if (database.kind === 'file' && !existsSync(database.path)) servedFolder(initial.text('root'))
  await using opened = new AsyncDisposableStack()
  const { rows, ...core } = await openCore(initial)
  opened.defer(() => core.close())
  const { config, settings, shares } = core
  const root = servedFolder(config.text('root'))
  await core.lastServed.requireNamed(config, root)
  const baseURL = baseUrl(config)
  const tree = await openMaintainedTree(root, core, rows)
  opened.defer(() => tree.close())
  const index = openIndex(tree, config)
  opened.defer(() => index?.close())
  const outbox = openOutbox(tree, core, index)
  opened.defer(() => outbox?.close())
  const uploads = await openUploads(tree, core, rows)
  opened.defer(() => uploads?.close())
  const shell = await openShell(root, config)
  const pictures = createPicturePrograms(root, config)
  opened.defer(() => pictures.close())
  const eventCommands = new EventCommands(shell, () => settings.get())
  const scopes = createScopes(tree, core, eventCommands)
  refuseNetworkCommandsBehindProxy(config)
  const audit = await createAudit(core, rows)
  opened.defer(() => audit.close())
  const jobs = createJobs(tree, config, rows, { scopes, audit, outbox })
  rejectUnsafeSignup(settings.get())
  const previews = createPreviews(root, config, pictures)
  const accounts = createAccountServices(tree, core, rows)
  opened.defer(() => core.seenTime.store())
  const closing = opened.move()
  return {
    ...core,
    ...accounts,
    ...previews,
    root,
    baseURL,
    readOnly: !tree.storage.can.write,
    uploads,
    index,
    audit,
    shell,
    eventCommands,
    tree,
    jobs,
    reachableHosts: () => reachableHosts(config),
    folderWatchers: new FolderWatchers(),
    outbox,
    leftOut: new LeftOutNotices(),
    archiveLists: new ArchiveLists(root),
    appPasswordAccess: new AppPasswordAccess({
      rows: rows.appPasswords,
      users: rows.users,
      outsideVersion: core.outsideVersion,
      scopes,
      throttle: core.throttle,
    }),
    shareOpener: new ShareOpener(shares, rows.users, scopes, throttledCompare(core.throttle)),
    zipChecks: new CrcCache(),
    snapshots: new SnapshotVersions(tree.storage.can.snapshots, tree.userTrash),
    ...readinessOf(core, tree),
    scopeOf: (user, current, origin) => scopes.of(user, current, origin),
    publicSettings: () => settingsForClients(core, tree, { baseURL, pictures, shell }),
    close: () => closing.disposeAsync(),
  }
}

function readinessOf(core: Core, tree: Tree): Pick<App, 'checkReady' | 'refuseReady'> {
  let isStopping = false
  return {
    async checkReady() {
      if (isStopping) throw new Fault('unavailable', 'The server is stopping.')
      await core.writeCheck.run()
      tree.requireStillThere()
      await checkServedFolder(tree.storage, tree.root)
    },
    refuseReady() {
      isStopping = true
    },
  }
}

/** Opens the served folder, and keeps its journal, its trash and the space of the database in their limits. */
async function openMaintainedTree(root: string, core: Core, rows: ServingRows): Promise<Tree> {
  const { config, flushes, shares, reserve, seenTime, cluster } = core
  reserve.fill()
  const deps = { rows, flushes, shares, reserve, seenTime, cluster, isServing: true }
  const tree = await openTree(root, config, deps)
  await tree.journal.deleteOldEntries()
  tree.watch(async () => {
    reserve.fill()
    await seenTime.store()
  })
  return tree
}

/** Creates the index of names, if it is enabled. It reads nothing before it is started or searched. */
function openIndex({ root, storage }: Tree, config: Config): WorkerIndex | undefined {
  if (!config.flag('index')) return undefined
  return new WorkerIndex({
    path: root,
    root: storage.root,
    ownPaths: reservedPaths(config),
    folder: join(config.paths.previews, 'names'),
    version: VERSION,
    memoryBytes: config.number('indexMemory'),
  })
}

/** From now on the storage reports changes to the index, and to other servers if they can share the database. */
function openOutbox(
  { root, storage }: Tree,
  { channel }: Core,
  index: WorkerIndex | undefined,
): Outbox | undefined {
  const outbox = channel && new Outbox(channel, root)
  const reported = outbox?.reporting(index) ?? index
  if (reported) storage.attachIndex(reported)
  return outbox
}

/** @returns undefined if the served folder can only be read */
async function openUploads(
  { root, storage, trash, peers }: Tree,
  { config, reserve, seenTime }: Core,
  rows: ServingRows,
): Promise<Uploads | undefined> {
  if (!storage.can.write) return undefined
  return await Uploads.open(rows.uploads, {
    folder: storage.uploadsFolder,
    root,
    expiryMs: config.number('uploadExpiry') * 1000,
    limitBytes: config.number('uploadLimit'),
    reserve,
    nowMs: () => seenTime.nowMs(),
    trash: trash.room.onRoot(),
    peers,
    diskAnswers: () => storage.rootAnswers(),
  })
}

function createScopes(
  { storage, journal }: Tree,
  { settings, shares }: Core,
  eventCommands: EventCommands,
): Scopes {
  return new Scopes(
    storage,
    { get: () => settings.get().rules, refresh: () => settings.refresh() },
    shares,
    (event) => eventCommands.run(event),
    journal,
  )
}

/**
 * Sign-in by proxy trusts a header of local connections. A command with network access could use it to sign in as
 * anyone, so the combination is refused. (Unix sockets are not available to commands.)
 *
 * @throws Fault badRequest
 */
function refuseNetworkCommandsBehindProxy(config: Config): void {
  const { method } = methodSettings(config)
  const proxies = config.args('trustedProxies')
  const hasTrustedAddress = proxies.length === 0 || proxies.some((arg) => arg !== UNIX)
  const mayCommandsConnect = config.flag('exec') && config.flag('execNetwork')
  if (method !== 'proxy' || !mayCommandsConnect || !hasTrustedAddress) return
  throw new Fault(
    'badRequest',
    'With --auth.method proxy a command with network access could sign in as another user. Remove --exec-network, or accept only the proxy: --socket FILE --trusted-proxies unix.',
  )
}

function createAudit({ config, seenTime }: Core, rows: ServingRows): Promise<Audit> {
  return Audit.open(rows.audit, {
    keepMs: config.number('auditDays') * DAY_MS,
    entries: config.number('auditEntries'),
    bytes: config.number('auditSize'),
    nowMs: () => seenTime.nowMs(),
  })
}

function createJobs(
  tree: Tree,
  config: Config,
  rows: ServingRows,
  { scopes, audit, outbox }: { scopes: Scopes; audit: Audit; outbox: Outbox | undefined },
): Jobs {
  return new Jobs(
    {
      rows: rows.jobs,
      watch: rows.jobWatch,
      tellOthers: outbox && (() => outbox.jobsChanged()),
      storage: tree.storage,
      peers: tree.peers,
      journalEntryOf: (item) => rows.journal.ofJobItem(item),
      userOf: (id) => rows.users.find(id),
      scopeOf: (user, current, origin) => scopes.of(user, current, origin),
      audit: (job, item) => audit.record(auditRecordOf(job, item)),
      takeOver: () => tree.takeOver(),
      recovered: tree.recovered,
      imports: createImports({
        hosts: config.args('importHosts'),
        sizeMaxBytes: config.number('importLimit'),
      }),
    },
    tree.root,
  )
}

function createPreviews(
  root: string,
  config: Config,
  { frames, pages, documents, heif, subtitles }: PicturePrograms,
): Pick<App, 'media' | 'filmSubtitles' | 'previews'> {
  const cache = openPreviewCache(config.paths.previews, {
    limitBytes: config.number('cacheSize'),
    isChosen: config.text('cacheDir') !== '',
  })
  return {
    media: new MediaReader(cache, root),
    filmSubtitles: new FilmSubtitles(cache, root, subtitles),
    previews: new Previews(cache, root, config.number('imageProcessors'), {
      svgRenderer: new SvgRenderer([...ownProgram(), 'draw']),
      frames: frames && ((openFolder, name) => frames.frame(openFolder, name)),
      pages: pages && ((openFolder, name) => pages.page(openFolder, name)),
      documents: documents && ((openFolder, name) => documents.page(openFolder, name)),
      heif: heif && ((openFolder, name) => heif.picture(openFolder, name)),
    }),
  }
}

function createAccountServices(
  { root, storage }: Tree,
  core: Core,
  rows: ServingRows,
): Pick<
  App,
  | 'confirmations'
  | 'enforcement'
  | 'userAdmin'
  | 'signIn'
  | 'signUp'
  | 'invitationAccess'
  | 'identitySignIn'
  | 'directorySignIn'
  | 'backchannel'
> {
  const { config, users, settings, invitations } = core
  const auth = methodSettings(config)
  const homes = homesIn(storage, (path) => rows.trash.hasBelow(root, path))
  const provisioning = new Provisioning(users, settings, homes)
  const hasPasswords = auth.method === 'json'
  const { identities, signInFlows } = rows
  const enforcement = new Enforcement({ ...core, identities }, hasPasswords)
  const identityUsers = new IdentityUsers({ users, identities, provisioning })
  const directorySignIn = new DirectorySignIn({ ...core, identities, identityUsers }, hasPasswords)
  const confirmations = new Confirmations({ ...core, directorySignIn }, hasPasswords)
  const connections = new ProviderConnections()
  const identityDeps = { ...core, identities, connections }
  return {
    confirmations,
    enforcement,
    identitySignIn: new IdentitySignIn(
      {
        ...identityDeps,
        flows: new Flows(signInFlows),
        identityUsers,
        provisioning,
        publicAddress: () => settings.get().publicAddress,
      },
      hasPasswords,
    ),
    directorySignIn,
    backchannel: new Backchannel({ ...identityDeps, flowRows: signInFlows }),
    userAdmin: new UserAdmin(users, settings, provisioning, confirmations, invitations),
    signIn: new SignIn({ ...core, provisioning, enforcement, directorySignIn }, auth),
    signUp: new SignUp(settings, provisioning, rows.failures),
    invitationAccess: new InvitationAccess({ ...core, provisioning }, auth.method),
  }
}

/**
 * Home folders in the served tree.
 *
 * @param hasTrashOf whether the trash contains deleted items of a folder
 */
function homesIn(storage: Storage, hasTrashOf: (path: TreePath) => Promise<boolean>): HomeFolders {
  return {
    async make(path) {
      const isFolder = await storage.stat(path).then(
        ({ kind }) => kind === 'folder',
        () => false,
      )
      if (!isFolder) await storage.mkdir(path)
    },
    async isFree(path) {
      if (await hasTrashOf(path)) return false
      try {
        return (await storage.list(path)).length === 0
      } catch (error) {
        if (isFault(error, 'notFound')) return true
        throw error
      }
    },
  }
}

/** @returns a function that compares passwords of shares, with the same limits of attempts as for users */
function throttledCompare(throttle: Throttle): ThrottledCompare {
  return ({ hash, passwordHash }, password, address) =>
    throttle.attempt({ account: `link ${hash}`, address, group: 'shares' }, () =>
      verifyPassword(password, passwordHash),
    )
}

function settingsForClients(
  { settings, config }: Core,
  { storage }: Tree,
  { baseURL, pictures, shell }: { baseURL: string; pictures: PicturePrograms; shell: Shell },
): ReturnType<typeof publicSettings> {
  return publicSettings(settings.get(), config, {
    baseURL,
    version: VERSION,
    readOnly: !storage.can.write,
    mediaThumbs: pictures.frames !== undefined,
    pdfThumbs: pictures.pages !== undefined,
    documentThumbs: pictures.documents !== undefined,
    exec: shell.off === undefined,
  })
}
