/** The composition root: opens what the server stands on and builds every service once. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault, isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { UNIX } from '#wire/session.ts'
import type { AuthMethod } from '#wire/settings.ts'
import type { Origin } from './access/recorder.ts'
import type { Scope } from './access/scope.ts'
import { Scopes } from './access/scopes.ts'
import type { Homes } from './accounts/home.ts'
import { verifyPassword } from './accounts/passwords.ts'
import { Provisioning } from './accounts/provisioning.ts'
import { methodSettings, SignIn } from './accounts/sign-in.ts'
import { SignUp } from './accounts/sign-up.ts'
import type { Throttle } from './accounts/throttle.ts'
import { UserAdmin } from './accounts/user-admin.ts'
import { Audit } from './audit/audit.ts'
import type { Config } from './config/config.ts'
import { baseUrl } from './config/load.ts'
import { reservedPaths } from './config/reserved-paths.ts'
import { type Core, openCore } from './core.ts'
import type { StoredUser } from './db/users.ts'
import { FolderWatchers } from './files/folder-watchers.ts'
import { Previews } from './files/preview.ts'
import { PreviewCache } from './files/preview-cache.ts'
import { SvgRenderer } from './files/svg-renderer.ts'
import { Uploads } from './files/uploads.ts'
import { Checks } from './files/zip.ts'
import { WorkerIndex } from './index/name-index.ts'
import { createMediaFrames, openShell } from './isolation.ts'
import { actOfJob } from './jobs/act.ts'
import { Jobs } from './jobs/jobs.ts'
import { rejectUnsafeSignup } from './settings/normalize.ts'
import { publicSettings } from './settings/public.ts'
import { type CountAttempt, OpenShares } from './shares/open.ts'
import { EventCommands } from './shell/hooks.ts'
import { ownProgram } from './shell/job.ts'
import type { Shell } from './shell/shell.ts'
import { ROOT_TRASH } from './storage/step.ts'
import type { Storage } from './storage/storage.ts'
import { openTree, servedFolder, type Tree } from './tree.ts'
import { VERSION } from './version.ts'

/** Everything a server needs. */
export interface App extends Core {
  /** The served folder on the disk. */
  root: string
  baseURL: string
  readOnly: boolean
  uploads: Uploads | undefined
  userAdmin: UserAdmin
  signIn: SignIn
  signUp: SignUp
  previews: Previews
  watching: FolderWatchers
  /** Of all names below the root; undefined where it is switched off. */
  index: WorkerIndex | undefined
  audit: Audit
  openShares: OpenShares
  /** @throws what keeps the server from answering: a database or a served folder that is gone */
  mustBeReady(): Promise<void>
  /** Of files that were in zips before. */
  zipChecks: Checks
  shell: Shell
  eventCommands: EventCommands
  /** The served files, their journal and their trash. */
  tree: Tree
  jobs: Jobs
  /** @param present the person when a long request ends; throws when nobody is signed in by then */
  scopeOf(user: StoredUser, present?: () => StoredUser, origin?: Origin): Scope
  publicSettings(): ReturnType<typeof publicSettings>
}

const DAY_MS = 24 * 60 * 60_000

/**
 * Opens everything, for serving.
 *
 * @param given the options as far as they are known without the database
 * @throws Fault with a sentence for the operator: root missing, unreadable; database damaged, newer
 */
export async function openApp(given: Config): Promise<App> {
  // A database that says otherwise is not there yet: none is made for a folder that is missing.
  if (!existsSync(given.paths.database)) servedFolder(given.text('root'))
  const { rows, ...core } = openCore(given)
  const { config } = core
  try {
    const root = servedFolder(config.text('root'))
    const baseURL = baseUrl(config)
    const sharesAt = (path: TreePath) => core.shares.lostWith(path)
    const tree = await openTree(root, config, { rows, flushes: core.flushes, sharesAt })
    const { storage } = tree
    await tree.journal.forget()
    tree.watch()
    tree.trash.noteKept()
    const index = openIndex(tree, config)
    const uploads = storage.can.write
      ? new Uploads(rows.uploads, {
          folder: storage.uploadsFolder,
          root,
          expiryMs: config.number('uploadExpiry') * 1000,
          limitBytes: config.number('uploadLimit'),
          room: {
            reclaimable: () => tree.trash.reclaimable(ROOT_TRASH),
            make: (bytes) => tree.trash.makeRoomFor(bytes),
          },
        })
      : undefined
    const readOnly = !storage.can.write
    const homes = homesIn(storage, (path) => rows.kept.hasBelow(root, path))
    const { shares } = core
    const shell = await openShell(root, config)
    const mediaFrames = createMediaFrames(root, config)
    const svgRenderer = new SvgRenderer([...ownProgram(), 'draw'])
    const eventCommands = new EventCommands(shell, () => core.settings.get())
    const scopes = new Scopes(
      storage,
      () => core.settings.get().rules,
      shares,
      (event) => eventCommands.run(event),
      tree.journal,
    )
    const auth = methodSettings(config)
    refuseCommandsThatVouch(config, auth.method)
    const audit = new Audit(rows.audit, {
      keepMs: config.number('auditDays') * DAY_MS,
      entries: config.number('auditEntries'),
      bytes: config.number('auditSize'),
    })
    const jobs = new Jobs(
      {
        rows: rows.jobs,
        storage,
        entryOf: (item) => rows.journal.ofJobItem(item),
        userOf: (id) => rows.users.find(id),
        scopeOf: (user, present, origin) => scopes.of(user, present, origin),
        note: (job, item) => audit.record(actOfJob(job, item)),
      },
      root,
    )
    const provisioning = new Provisioning(core.users, core.settings, homes)
    rejectUnsafeSignup(core.settings.get())
    return {
      ...core,
      root,
      baseURL,
      readOnly,
      uploads,
      userAdmin: new UserAdmin(
        core.users,
        core.settings,
        provisioning,
        core.throttle,
        auth.method === 'json',
      ),
      signIn: new SignIn({ ...core, provisioning }, auth),
      signUp: new SignUp(core.settings, provisioning),
      watching: new FolderWatchers(),
      index,
      audit,
      previews: new Previews(previewCache(config), root, config.number('imageProcessors'), {
        svgRenderer,
        frames: mediaFrames && ((openFolder, name) => mediaFrames.frame(openFolder, name)),
      }),
      openShares: new OpenShares(shares, rows.users, scopes, tryLinkPassword(core.throttle)),
      zipChecks: new Checks(),
      shell,
      eventCommands,
      tree,
      jobs,
      async mustBeReady() {
        core.users.count()
        await storage.stat(ROOT)
        servedFolder(root)
      },
      scopeOf: (user, present, origin) => scopes.of(user, present, origin),
      publicSettings: () =>
        publicSettings(core.settings.get(), config, {
          baseURL,
          version: VERSION,
          readOnly,
          mediaThumbs: mediaFrames !== undefined,
          exec: shell.off === undefined,
        }),
      close: () => {
        audit.close()
        void mediaFrames?.close()
        uploads?.close()
        index?.close()
        tree.close()
        core.close()
      },
    }
  } catch (error) {
    core.close()
    throw error
  }
}

/**
 * Sign-in by proxy believes a header of a neighbour. A command with the network is one, and would sign in
 * as whoever it likes. Unix sockets are closed to commands.
 *
 * @throws Fault badRequest
 */
function refuseCommandsThatVouch(config: Config, method: AuthMethod): void {
  const proxies = config.args('trustedProxies')
  const byAddress = proxies.length === 0 || proxies.some((arg) => arg !== UNIX)
  const commandsCall = config.flag('exec') && config.flag('execNetwork')
  if (method !== 'proxy' || !commandsCall || !byAddress) return
  throw new Fault(
    'badRequest',
    'With --auth.method proxy a command that reaches the network could sign in as anybody. Take --exec-network away, or let only the proxy in: --socket FILE --trusted-proxies unix.',
  )
}

/**
 * An account without a home of its own, as in a container, has no usual place for previews: none are
 * kept then.
 *
 * @throws Fault forbidden when the folder that was named cannot be made
 */
function previewCache(config: Config): PreviewCache {
  const folder = config.paths.previews
  try {
    return new PreviewCache(folder, config.number('cacheSize'))
  } catch (cause) {
    if (config.text('cacheDir') === '') return new PreviewCache(folder, 0)
    const hint = 'Name another with --cache-dir, or keep no previews with --cache-size 0.'
    throw new Fault('forbidden', `The folder ${folder} cannot be made. ${hint}`, { cause })
  }
}

/** Nothing is read before somebody starts the index or asks it. */
function openIndex({ root, storage }: Tree, config: Config): WorkerIndex | undefined {
  if (!config.flag('index')) return undefined
  const index = new WorkerIndex({
    path: root,
    root: storage.root,
    own: reservedPaths(config),
    folder: join(config.paths.previews, 'names'),
    version: VERSION,
    memoryBytes: config.number('indexMemory'),
  })
  storage.attachIndex(index)
  return index
}

/** A link's password is guessed as slowly as a person's. */
function tryLinkPassword(throttle: Throttle): CountAttempt {
  return ({ hash, passwordHash }, password, address) =>
    throttle.attempt({ account: `link ${hash}`, address }, () =>
      verifyPassword(password, passwordHash),
    )
}

/** Home folders in the served tree. @param keepsOf whether the trash has something of a folder */
function homesIn(storage: Storage, keepsOf: (path: TreePath) => boolean): Homes {
  return {
    async make(path) {
      const isThere = await storage.stat(path).then(
        ({ kind }) => kind === 'folder',
        () => false,
      )
      if (!isThere) await storage.mkdir(path)
    },
    async isFree(path) {
      if (keepsOf(path)) return false
      try {
        return (await storage.list(path)).length === 0
      } catch (error) {
        if (isFault(error, 'notFound')) return true
        throw error
      }
    },
  }
}
