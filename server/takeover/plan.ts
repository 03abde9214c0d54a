/** Plans an import and reports its effects before anything is changed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportedUsers, readUsers } from '#server/accounts/users/import-export.ts'
import { isTree } from '#server/config/document.ts'
import { findOption } from '#server/config/options.ts'
import { isOff, type OptionValue, parseValue } from '#server/config/values.ts'
import { type ImportedSettings, readSettings } from '#server/settings/import-export.ts'
import { type ImportedShares, readShares } from '#server/shares/import-export.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import type { OldInstallation } from './old-installation.ts'

export interface ImportPlan {
  /** A digest of the imported content, to recognise a repetition. */
  digest: string
  settings: ImportedSettings | undefined
  users: ImportedUsers | undefined
  shares: ImportedShares
  report: ReportSection[]
  /** Whether commands of events or programs of users are imported. */
  hasCommands: boolean
  /** The reasons why nothing can be imported; each names its source. */
  problems: string[]
}

/** A section of the report. */
export interface ReportSection {
  title: 'users' | 'shares' | 'rules' | 'settings' | 'commands'
  summary: string
  /** Changed and dropped values, with the reason. */
  notes: string[]
}

/** The environment of the import. */
export interface ImportEnvironment {
  nowSec: number
  /** The served folder; by default that of the old installation. */
  root?: string | undefined
  /** Whether commands are allowed here (`exec`), so that imported ones would run. */
  isExecOn: boolean
}

/**
 * Parses and checks all stored data, and reports the result.
 *
 * @throws Fault badRequest for other documents
 */
export function planImport(old: OldInstallation, environment: ImportEnvironment): ImportPlan {
  const users = old.users && readUsers(old.users)
  const settings = old.settings && readSettings(old.settings)
  const ids = new Set(users?.users.map(({ id }) => id))
  const shares = readShares(old.shares ?? [], ids, environment.nowSec)
  const commandNotes = settings ? disableCommands(settings) : []
  const commands = countCommands(users, settings)
  const root = environment.root ?? rootOf(settings)
  const notes = settings && [
    ...settings.notices,
    ...adaptSettings(settings),
    ...proxyNotes(settings),
    ...droppedNotes(old),
  ]
  return {
    digest: new Bun.CryptoHasher('sha256').update(JSON.stringify(old)).digest('hex'),
    settings,
    users,
    shares,
    report: [
      ...(users ? [usersSection(users, root)] : []),
      ...(old.shares ? [sharesSection(shares)] : []),
      ...rulesSection(users, settings),
      ...(settings ? [settingsSection(settings, [...(notes ?? []), ...rootNotes(root)])] : []),
      commandsSection(commands, commandNotes, environment.isExecOn),
    ],
    hasCommands: commands.ofEvents + commands.ofUsers > 0,
    problems: [users, settings, shares].flatMap((part) => part?.problems ?? []),
  }
}

/**
 * Drops whether File Browser ran commands: those that are imported stay disabled until the operator has checked them.
 *
 * @returns the notes
 */
function disableCommands(settings: ImportedSettings): string[] {
  const rows = settings.startup.filter(([key]) => key === 'exec')
  settings.startup = settings.startup.filter(([key]) => key !== 'exec')
  return rows.every(([, written]) => isOff(written))
    ? []
    : ['They ran with File Browser and do not run here yet.']
}

/**
 * Adapts settings that this server would refuse.
 *
 * @returns the notes
 */
function adaptSettings(settings: ImportedSettings): string[] {
  const rowOf = (key: string) => settings.live.find(([name]) => name === key)
  const signup = rowOf('signup')
  const scope = rowOf('defaults.scope')?.[1]
  const hasSharedScope = signup?.[1] === true && rowOf('createUserDir')?.[1] !== true
  if (!hasSharedScope || parsePath(String(scope ?? '/')) !== ROOT) return []
  signup[1] = false
  return [
    'signup is switched off: everyone who signs up would see all files. Set createUserDir, then signup again.',
  ]
}

/** The note for sign-in by a proxy, whose header File Browser accepted from every address. */
function proxyNotes(settings: ImportedSettings): string[] {
  const usesProxy = settings.startup.some(
    ([key, written]) => key === 'auth.method' && written === 'proxy',
  )
  if (!usesProxy) return []
  return [
    'The header that names the user is accepted from this machine only. If the proxy is on another machine or in another container, name its address: filemgr config set trustedProxies ADDRESS',
  ]
}

/** The notes for stored values that are not imported. */
function droppedNotes({ settings: document }: OldInstallation): string[] {
  const stored = isTree(document?.settings) ? document.settings : {}
  const hasKey = Object.keys(stored).some((name) => name.toLowerCase() === 'key')
  return hasKey ? ['The signing key is not imported: all users must sign in again.'] : []
}

function rootOf(settings: ImportedSettings | undefined): string | undefined {
  const root = settings?.startup.find(([key]) => key === 'root')
  return root && String(root[1])
}

function rootNotes(root: string | undefined): string[] {
  if (root === undefined || existsSync(root)) return []
  return [`The served folder ${root} is not on this machine. Name another with --root.`]
}

function usersSection({ users, notices }: ImportedUsers, root: string | undefined): ReportSection {
  const isMissing = (scope: string) =>
    root !== undefined && existsSync(root) && !existsSync(join(root, parsePath(scope)))
  const withoutHome = users.flatMap(({ location, changes: { scope = '/' } }) =>
    isMissing(scope) ? [`${location}: the folder ${scope} does not exist in ${root}.`] : [],
  )
  const notes = [...notices.filter((notice) => !isOfRules(notice)), ...withoutHome]
  const summary = `${users.length} with passwords, scopes, permissions and preferences`
  return { title: 'users', summary, notes }
}

function sharesSection({ shares, notices }: ImportedShares): ReportSection {
  const withPassword = shares.filter(({ passwordHash }) => passwordHash !== '').length
  const expiring = shares.filter(({ expiresSec }) => expiresSec !== 0).length
  const summary = `${shares.length} with their addresses, ${withPassword} with a password, ${expiring} with an expiry`
  return { title: 'shares', summary, notes: notices }
}

function rulesSection(
  users: ImportedUsers | undefined,
  settings: ImportedSettings | undefined,
): ReportSection[] {
  const forAll = settings?.rules.length ?? 0
  const userRules =
    users?.users.reduce((sum, { changes }) => sum + (changes.rules?.length ?? 0), 0) ?? 0
  const notes = [...(users?.notices ?? []), ...(settings?.notices ?? [])].filter(isOfRules)
  return [
    { title: 'rules', summary: `${forAll} for all users, ${userRules} for single users`, notes },
  ]
}

function settingsSection(settings: ImportedSettings, notes: string[]): ReportSection {
  const differing = [...settings.live, ...settings.startup].filter(([key, value]) =>
    differs(key, value),
  )
  const text = differing.map(([key, value]) => `${key}=${displayValue(key, value)}`).join(', ')
  return {
    title: 'settings',
    summary: text || 'unchanged defaults',
    notes: notes.filter((note) => !isOfRules(note)),
  }
}

/** How many commands of events are imported, and how many users with programs. */
function countCommands(users: ImportedUsers | undefined, settings: ImportedSettings | undefined) {
  const ofUsers = users?.users.filter(({ changes }) => (changes.commands ?? []).length > 0) ?? []
  const ofEvents = Object.values(settings?.commands ?? {}).flat()
  return { ofEvents: ofEvents.length, ofUsers: ofUsers.length }
}

function commandsSection(
  { ofEvents, ofUsers }: ReturnType<typeof countCommands>,
  notes: string[],
  isExecOn: boolean,
): ReportSection {
  if (ofEvents + ofUsers + notes.length === 0) return { title: 'commands', summary: 'none', notes }
  const summary = `${ofEvents} of events, programs of ${ofUsers} users`
  const stayOff = 'Commands come over switched off. Read them, then: filemgr config set exec true'
  // Then they run, whatever File Browser did.
  if (isExecOn) return { title: 'commands', summary, notes: ['They run, because exec is on here.'] }
  return { title: 'commands', summary, notes: [...notes, stayOff] }
}

/** Whether a notice is about rules. */
function isOfRules(notice: string): boolean {
  return /: rule \d+ (?:allows nothing|denies everything)/.test(notice)
}

function differs(key: string, value: unknown): boolean {
  const option = findOption(key)
  if (!option) return false
  const standard: OptionValue = parseValue(option, option.default ?? '')
  return !Bun.deepEquals(parseValue(option, value), standard)
}

function displayValue(key: string, value: unknown): string {
  return /secret|hash/i.test(key) ? '(set)' : JSON.stringify(value)
}
