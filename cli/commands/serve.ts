/**
 * filemgr serve [root]: imports a File Browser database at the first start, opens everything, listens, prints the
 * address, and waits for a signal to stop.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { serveReason } from '#server/absent-server.ts'
import { type App, openApp } from '#server/app.ts'
import type { Config } from '#server/config/config.ts'
import { type DatabaseAddress, databaseText } from '#server/config/database-address.ts'
import { noticeOfUntrustedDatabase } from '#server/config/database-to-import.ts'
import { loadConfig } from '#server/config/load.ts'
import { ownCommand } from '#server/config/own-command.ts'
import { ensureAdministrator, openCore, waitForDatabase } from '#server/core.ts'
import { endProcess } from '#server/os/end-process.ts'
import { AbsentRoot, noticesOfUnmounted } from '#server/served-root.ts'
import { type Listening, serve } from '#server/server.ts'
import type { Reloaded } from '#server/settings/reload.ts'
import { type FirstImport, importAtFirstStart } from '#server/takeover/first-start.ts'
import type { Tree } from '#server/tree.ts'
import { configSources } from '../config.ts'
import { exitFor } from '../exit.ts'
import { continueWithoutReader, type Io } from '../io.ts'
import { addOptions, type Flags } from '../options.ts'
import { publicAddressAdvice } from '../public-address.ts'
import { printReport } from '../takeover-report.ts'

/** How often it is looked whether the served folder is there. */
const LOOK_EVERY_MS = 1000
/** Windows has Ctrl-Break too, which also the managers of its services send. */
const SIGNALS: NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK'] : ['SIGINT', 'SIGTERM']

export function serveCommand(program: Command, io: Io): void {
  const command = program
    .command('serve')
    .description('serve a folder')
    .argument('[root]', 'the folder to serve')
    .allowExcessArguments()
    .action((_root: string | undefined, flags: Flags, self: Command) =>
      run(rootOf(self), flags, io),
    )
    .addHelpText('after', EXAMPLES)
  addOptions(command, (option) => !option.isLive, io)
}

const EXAMPLES = `
Examples:
  filemgr serve ./data
  filemgr serve /srv/files --address 0.0.0.0 --port 8080
  filemgr serve /srv/files --base-url /files --database /var/lib/filemgr/filemgr.db
  filemgr serve /srv/files --database postgres://filemgr@db.example.org/filemgr --database-password-file password`

/**
 * The folder to serve. Empty words mean nothing: scripts write them for options that are not set.
 *
 * @throws CommanderError for several words
 */
function rootOf(command: Command): string | undefined {
  const words = command.args.filter((word) => word !== '')
  if (words.length > 1) {
    const list = words.join(', ')
    command.error(
      `error: too many arguments for 'serve'. Expected 1 argument but got ${words.length}: ${list}.${mistypedHint(words[0] ?? '')}`,
    )
  }
  return words[0]
}

/** A word that is no folder may be a command with a mistake: without a command, `serve` is meant. */
function mistypedHint(word: string): string {
  return existsSync(word) ? '' : ` '${word}' is neither a folder nor a command.`
}

/** How long the end of the server waits for the other disks. A disk that needs longer is taken for one that does not respond. */
const DISKS_ANSWER_MS = 500

async function run(root: string | undefined, flags: Flags, terminal: Io): Promise<void> {
  const load = configLoader(root, flags, terminal)
  let current = load()
  const io = inLogFormat(terminal, () => current)
  const untrusted = noticeOfUntrustedDatabase(current)
  if (untrusted) io.err(untrusted)
  printFirstImport(await importAtFirstStart(load), io)
  // The import may have created the database, which contains options.
  const config = load()
  for (const notice of config.notices) io.err(notice)
  const { stopped, stop } = untilSignal()
  const setReload = onHangUp(io, stop)
  const forMs = config.number('databaseWait') * 1000
  const wait = { forMs, say: (line: string) => io.err(line), stopped }
  if (!(await waitForDatabase(config.paths.database, wait))) return
  let isStopped = false
  const app = await openWhenThere(config, io, stopped)
  if (!app) return
  current = config.withStored(await app.installation.get())
  try {
    const listening = await serve(app)
    continueWithoutReader()
    setReload(async () => {
      const next = load(undefined, true).withStored(await app.installation.get())
      const reloaded = await listening.reload(next)
      current = next
      return reloaded
    })
    try {
      await announce(app, listening, io)
      await stopped
      const drainSec = app.config.number('drain')
      if (drainSec > 0) io.err(`The server stops in ${drainSec} s. Until then, /ready answers 503.`)
      await listening.drain()
    } finally {
      await listening.stop()
    }
    isStopped = true
  } finally {
    const mayWait = !(await app.tree.storage.disksRespond(DISKS_ANSWER_MS))
    await app.close()
    // A thread that waits for a disk would keep the process.
    if (isStopped && mayWait) endProcess(0)
  }
}

/** @returns a function that reads the options again; the import writes to another database until it is complete */
function configLoader(root: string | undefined, flags: Flags, io: Io) {
  const sources = configSources(io, flags)
  const written = { ...sources.flags, ...(root !== undefined && { root }) }
  return (database?: string, requiresFile = false): Config =>
    loadConfig({
      ...sources,
      flags: { ...written, ...(database && { database }) },
      requiresFile,
    })
}

function printFirstImport(imported: FirstImport | undefined, io: Io): void {
  if (!imported) return
  const { from, to, report } = imported
  io.err(`Found File Browser's ${from}. It was imported into ${to}:`)
  printReport(report, io.err)
  io.err(`${from} was not changed. Keep it until you have checked the import.`)
}

/**
 * Opens the app when the served folder is there. Until then, every request gets the reason.
 *
 * @returns undefined if the server was stopped before the folder was there
 */
async function openWhenThere(
  config: Config,
  io: Io,
  stopped: Promise<void>,
): Promise<App | undefined> {
  let isStopped = false
  void stopped.then(() => {
    isStopped = true
  })
  for (;;) {
    try {
      return await openApp(config)
    } catch (error) {
      if (!(error instanceof AbsentRoot)) throw error
      io.err(error.operatorMessage)
      const listening = await serveReason(await withStoredOptions(config), error.message)
      io.out(listening.url)
      continueWithoutReader()
      while (!isStopped && !error.isPresent()) {
        await Promise.race([stopped, Bun.sleep(LOOK_EVERY_MS)])
      }
      await listening.stop()
      if (isStopped) return undefined
      io.err(`The folder ${resolve(config.text('root'))} is there now.`)
    }
  }
}

async function withStoredOptions(config: Config): Promise<Config> {
  const core = await openCore(config)
  await core.close()
  return core.config
}

/** Prints where the server listens and what the operator must know, once it listens. */
async function announce(app: App, listening: Listening, io: Io): Promise<void> {
  // After the server listens: the password is shown once, and would be lost with a failed start.
  const administrator = await ensureAdministrator(app)
  const previousRoot = await app.lastServed.replaceRoot(app.root)
  await app.lastServed.putUrl(urlForOthers(listening.url, app.reachableHosts()))
  const url = await app.lastServed.url()
  const notices = await app.databaseNotices()
  // Nothing is waited for between these lines, so that no line of a request is among them.
  io.out(listening.url)
  if (administrator?.password) {
    const { username, password } = administrator
    const hasSignIn = app.signIn.settings.method !== 'noauth'
    for (const line of hasSignIn ? passwordLines(username, password) : noSignInLines(app, username))
      io.out(line)
  }
  io.out(databaseLine(app, administrator === undefined))
  if (administrator && app.settings.get().publicAddress === '')
    io.out(`The public address is not set. ${publicAddressAdvice(app.config, url)}`)
  if (previousRoot) io.err(otherRootNotice(previousRoot, app))
  if (app.readOnly) io.out(`${app.root} cannot be written, so it is served read-only.`)
  for (const notice of noticesOfUnmounted(app.root)) io.err(notice)
  for (const { what, advice } of [...notices, ...app.tree.sharedRootNotices])
    io.err(`${what} ${advice}`)
  if (app.shell.notice) io.err(app.shell.notice)
  io.out(STORAGE_NOTICES[app.tree.storageKind])
  if (listening.metricsUrl) io.out(`Metrics at ${listening.metricsUrl}`)
}

const STORAGE_NOTICES: Record<Tree['storageKind'], string> = {
  local: 'Storage: local (files are opened by descriptors of Linux).',
  portable:
    'Storage: portable (files are opened by paths). SECURITY.md says what it does not promise, and so does filemgr doctor.',
}

/** @param isUsed whether the database has users, whose passwords are not printed */
function databaseLine({ config, signIn }: App, isUsed: boolean): string {
  const database = databaseText(config.paths.database)
  if (!isUsed || signIn.settings.method === 'noauth') return `The database is ${database}.`
  return `The database is ${database}. Sign in as one of its users; --database names another one.`
}

function passwordLines(username: string, password: string): string[] {
  return [
    `Administrator ${username}, password: ${password}`,
    'This is shown once. Sign in and change it.',
  ]
}

/** Without sign-in the generated password is not shown. */
function noSignInLines({ config }: App, username: string): string[] {
  return [
    `Sign-in is off: everyone who can reach this server acts as ${username}, with every permission.`,
    `Before you turn sign-in on, set a password: ${ownCommand(config, ['users', 'update', username, '--password', 'NEW'])}`,
  ]
}

/** @returns the URL at which other devices reach the server; the local URL if they cannot; empty for a socket */
function urlForOthers(url: string, [host]: readonly string[]): string {
  if (!URL.canParse(url) || url.startsWith('unix:')) return ''
  const { protocol, hostname, port, pathname } = new URL(url)
  const isEverywhere = hostname === '0.0.0.0' || hostname === '[::]'
  const reached = isEverywhere ? (host ?? '127.0.0.1') : hostname
  return `${protocol}//${reached}${port && `:${port}`}${pathname}`.replace(/\/$/, '')
}

/** Users may not expect that a share of one folder opens a file of the same name in another. */
function otherRootNotice(previous: string, { root, config, tree }: App): string {
  const { database } = config.paths
  const rest = tree.isMoved
    ? 'Trash, earlier versions, journal and unfinished uploads were moved along.'
    : `Trash, earlier versions, journal and unfinished uploads of ${previous} stay with that folder.`
  const own = addressBeside(database, basename(root) || 'other')
  const other = ownCommand({ paths: { ...config.paths, database: own } }, ['serve', root])
  return `The database ${databaseText(database)} was used for ${previous} before. Its users sign in to ${root} now with the passwords they have, and its rules and public links now apply to ${root}. ${rest} To keep the folders apart, stop this server and name another database: ${other}`
}

/** Another database in the same folder, or on the same server, where it must be created first. */
function addressBeside(database: DatabaseAddress, name: string): DatabaseAddress {
  if (database.kind === 'file') {
    return { kind: 'file', path: join(dirname(database.path), `${name}.db`) }
  }
  const url = new URL(database.url)
  url.pathname = `/${encodeURIComponent(name)}`
  return { ...database, url: url.href }
}

/** Prints the messages of the start as JSON, if the log is JSON on standard output or standard error. */
function inLogFormat(io: Io, current: () => Config): Io {
  const entry = (message: string) => {
    const isLog = ['stdout', 'stderr'].includes(current().text('log'))
    if (!isLog || current().text('logFormat') !== 'json') return message
    return JSON.stringify({ time: new Date().toISOString(), source: 'serve', message })
  }
  return { ...io, out: (text) => io.out(entry(text)), err: (text) => io.err(entry(text)) }
}

/** Under `npm start` a Ctrl-C arrives twice; signals within this time count as one. */
const SAME_SIGNAL_MS = 1000

/** `stopped` resolves at the first signal to stop; a later signal ends the process at once. `stop` acts as a signal. */
function untilSignal(): { stopped: Promise<void>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let stoppedAtMs: number | undefined
  const stop = () => {
    if (stoppedAtMs !== undefined && Date.now() - stoppedAtMs > SAME_SIGNAL_MS) process.exit(1)
    stoppedAtMs ??= Date.now()
    resolve()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return { stopped: promise, stop }
}

/**
 * Handles SIGHUP: under a service manager it reloads the configuration. In a terminal it stops the server, because the
 * terminal was closed.
 *
 * @returns a function that sets the reload handler after the server has started; an earlier SIGHUP is handled then
 */
function onHangUp(io: Io, stop: () => void): (reload: () => Promise<Reloaded>) => void {
  const ready = Promise.withResolvers<() => Promise<Reloaded>>()
  process.on('SIGHUP', async () => {
    if (io.hasTerminal) return stop()
    const reload = await ready.promise
    try {
      const { changed, later } = await reload()
      io.err(`The configuration was read again. Changed: ${changed.join(', ') || 'nothing'}.`)
      if (later.length > 0) io.err(`These options apply from the next start: ${later.join(', ')}.`)
    } catch (error) {
      io.err(`The configuration is unchanged. ${exitFor(error).print}`)
    }
  })
  return ready.resolve
}
