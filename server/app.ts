/** The composition root: opens what the server stands on and builds every service once. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasOpenBeneath } from '#server/os/open-beneath.ts'
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
import { baseUrl, cacheFolder, databasePath } from './config/load.ts'
import { reservedPaths, secretFiles } from './config/reserved-paths.ts'
import { type Core, openCore } from './core.ts'
import type { StoredUser } from './db/users.ts'
import { FolderWatchers } from './files/folder-watchers.ts'
import { Previews } from './files/preview.ts'
import { PreviewCache } from './files/preview-cache.ts'
import { SvgRenderer } from './files/svg-renderer.ts'
import { Uploads } from './files/uploads.ts'
import { WorkerIndex } from './index/name-index.ts'
import { actOfJob } from './jobs/act.ts'
import { Jobs } from './jobs/jobs.ts'
import { rejectUnsafeSignup } from './settings/normalize.ts'
import { publicSettings } from './settings/public.ts'
import { type CountAttempt, OpenShares } from './shares/open.ts'
import { EventCommands } from './shell/hooks.ts'
import { ownProgram } from './shell/job.ts'
import { LANDLOCK_NEEDED, landlockVersion } from './shell/landlock.ts'
import { FRAME_LIMITS, findFfmpeg, MediaFrames } from './shell/media-frames.ts'
import { Shell } from './shell/shell.ts'
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
export async function openApp(given: Config, env: NodeJS.ProcessEnv): Promise<App> {
  // A database that says otherwise is not there yet: none is made for a folder that is missing.
  if (!existsSync(databasePath(given, env))) servedFolder(given.text('root'))
  const { rows, ...core } = openCore(given, env)
  const { config } = core
  try {
    const root = servedFolder(config.text('root'))
    const baseURL = baseUrl(config)
    const sharesAt = (path: TreePath) => core.shares.lostWith(path)
    const tree = await openTree(root, config, env, { rows, flushes: core.flushes, sharesAt })
    const { storage } = tree
    await tree.journal.forget()
    tree.watch()
    tree.trash.noteKept()
    const index = openIndex(tree, config, env)
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
    const shell = await openShell(root, config, env)
    const mediaFrames = createMediaFrames(root, config, env)
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
      previews: new Previews(previewCache(config, env), root, config.number('imageProcessors'), {
        svgRenderer,
        frames: mediaFrames && ((openFolder, name) => mediaFrames.frame(openFolder, name)),
      }),
      openShares: new OpenShares(shares, rows.users, scopes, tryLinkPassword(core.throttle)),
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
function previewCache(config: Config, env: NodeJS.ProcessEnv): PreviewCache {
  const folder = cacheFolder(config, env)
  try {
    return new PreviewCache(folder, config.number('cacheSize'))
  } catch (cause) {
    if (config.text('cacheDir') === '') return new PreviewCache(folder, 0)
    const hint = 'Name another with --cache-dir, or keep no previews with --cache-size 0.'
    throw new Fault('forbidden', `The folder ${folder} cannot be made. ${hint}`, { cause })
  }
}

/** Nothing is read before somebody starts the index or asks it. */
function openIndex(
  { root, storage }: Tree,
  config: Config,
  env: NodeJS.ProcessEnv,
): WorkerIndex | undefined {
  if (!config.flag('index')) return undefined
  const index = new WorkerIndex({
    path: root,
    root: storage.root,
    own: reservedPaths(config, env),
    folder: join(cacheFolder(config, env), 'names'),
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

/** What commands would run behind here. Builds a jail and ends it again. */
export async function commandIsolation(
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Shell, 'isolation' | 'notice'>> {
  const { isolation, notice } = await openShell(servedFolder(config.text('root')), config, env)
  return { isolation, notice }
}

/** What this machine's kernel offers. */
export function machineLimits(): { beneath: boolean; landlock: number; landlockNeeded: number } {
  return { beneath: hasOpenBeneath(), landlock: landlockVersion(), landlockNeeded: LANDLOCK_NEEDED }
}

function openShell(root: string, config: Config, env: NodeJS.ProcessEnv): Promise<Shell> {
  return Shell.open({
    wanted: config.flag('exec'),
    unconfined: config.flag('execUnconfined'),
    network: config.flag('execNetwork'),
    root,
    ownFiles: secretFiles(config, env),
    limits: {
      timeMs: config.number('execTimeout') * 1000,
      memoryBytes: config.number('execMemory'),
      processes: config.number('execProcesses'),
      outputBytes: config.number('execOutput'),
      fileBytes: config.number('uploadLimit'),
    },
  })
}

/** Films and songs have pictures where ffmpeg is on the machine; it is jailed in any case. */
function createMediaFrames(
  root: string,
  config: Config,
  env: NodeJS.ProcessEnv,
): MediaFrames | undefined {
  const ffmpeg = findFfmpeg()
  const jail = { wanted: true, unconfined: false, network: false, root, limits: FRAME_LIMITS }
  if (!ffmpeg) return undefined
  return new MediaFrames(ffmpeg, () => Shell.open({ ...jail, ownFiles: secretFiles(config, env) }))
}
