/** Finds people in a directory, checks their passwords, and reads their groups. */
import {
  Client,
  type Entry,
  type Filter,
  NoSuchObjectError,
  PresenceFilter,
  ResultCodeError,
  SizeLimitExceededError,
} from 'ldapts'
import type { StoredDirectory } from '#server/db/rows/directories.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { directoryFault, entryFault } from './directory-faults.ts'
import { entryFilter, groupFilter, userFilter } from './directory-filters.ts'
import { openDirectorySocket } from './directory-sockets.ts'
import { fold, nameDirectlyBelow } from './distinguished-names.ts'

/** For all that one log-in asks of a directory, and the wait for a place. */
const DIRECTORY_WITHIN_MS = 10_000
/** Groups of a user that are read, and characters of a text. */
const GROUPS_MAX = 1000
const TEXT_MAX_CHARS = 256

/** Results with which a directory refuses a password: wrong, expired, locked, disabled (RFC 4511 appendix A.2). */
const REFUSALS = [19, 32, 48, 49, 50, 53]

/** An attribute whose values are bytes and no text. */
const BINARY_IDS = ['objectGUID', 'GUID']

const running = new Limiter(CONCURRENCY_LIMITS.directories)

/** An entry of a directory, read by the server itself. */
export interface DirectoryPerson {
  dn: string
  /** Identifies the entry, whatever its names are. */
  id: string
  /** The name for a new user; empty if there is none. */
  username: string
  /** Undefined: the directory does not say. */
  groups: string[] | undefined
  /** What was read, as text. */
  attributes: Record<string, string[]>
}

/** How a person is found: by what was typed, or by what identifies the entry. */
export type Sought = { username: string } | { id: string }

/**
 * Finds a person, and checks the password. If there is no such person, the password is checked all the same, for a name that
 * does not exist, so that neither the requests nor their time tell whether the directory has a name.
 *
 * @param password undefined: it is not checked
 * @param withinMs the limit of the time
 * @returns the person, and whether the password is right
 * @throws Fault unavailable (with a reason that begins with `directory`; or too many wait), unprocessable (`entryMissing`,
 *   `entryAmbiguous`, `entryWithoutId`)
 */
export async function findPerson(
  directory: StoredDirectory,
  sought: Sought,
  password?: string,
  withinMs = DIRECTORY_WITHIN_MS,
): Promise<{ person: DirectoryPerson; isPasswordRight: boolean }> {
  return await asked(directory, withinMs, async (client) => {
    await bindAsServer(client, directory)
    const entry = await findEntry(client, directory, sought).catch(async (error) => {
      if (password !== undefined && isFault(error, 'unprocessable'))
        await checkInVain(client, directory, password)
      throw error
    })
    const isPasswordRight = password !== undefined && (await accepts(client, entry.dn, password))
    // The groups are of no interest after a wrong password, and are read with the rights of the server.
    if (password !== undefined && isPasswordRight) await bindAsServer(client, directory)
    const isRead = password === undefined || isPasswordRight
    const groups = isRead ? await groupsOf(client, directory, entry) : undefined
    return { person: personOf(directory, entry, groups), isPasswordRight }
  })
}

/**
 * Asks as `findPerson` does about a name that another directory has decided about, so that neither the requests nor their time
 * tell which directory has the name. The password is not tried at an entry.
 *
 * @throws Fault unavailable, as `findPerson`
 */
export async function seekInVain(
  directory: StoredDirectory,
  sought: Sought,
  password: string,
): Promise<void> {
  await asked(directory, DIRECTORY_WITHIN_MS, async (client) => {
    await bindAsServer(client, directory)
    await findEntry(client, directory, sought).catch((error) => {
      if (!isFault(error, 'unprocessable')) throw error
    })
    await checkInVain(client, directory, password)
  })
}

/** @throws Fault */
async function asked<T>(
  directory: StoredDirectory,
  withinMs: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(withinMs)
  using permit = await running.wait('', signal)
  if (!permit) throw directoryFault('directorySlow')
  return await withClient(directory, signal, work)
}

/** @throws Fault */
async function withClient<T>(
  { options }: StoredDirectory,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const socket = await openDirectorySocket(options, signal)
  let isTaken = false
  const take = () => {
    // A second connection would not be encrypted.
    if (isTaken) throw new Error('The connection ended.')
    isTaken = true
    return socket
  }
  // The library only connects with it: `take` ignores the port and the host.
  const createConnection = take as never
  const client = new Client({ url: 'ldap://directory', createConnection })
  const ended = Promise.withResolvers<never>()
  socket.once('close', () => ended.reject(new Error('The connection ended.')))
  ended.promise.catch(() => undefined)
  try {
    return await Promise.race([work(client), ended.promise])
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    if (signal.aborted) throw directoryFault('directorySlow', cause)
    throw directoryFault(
      cause instanceof ResultCodeError ? 'directoryRefused' : 'directoryInvalid',
      cause,
    )
  } finally {
    client.unbind().catch(() => undefined)
    socket.destroy()
  }
}

/** Without a name, the connection has the rights of anyone. */
async function bindAsServer(client: Client, { options, bindPassword }: StoredDirectory) {
  if (options.bindDN !== '') await bind(client, options.bindDN, bindPassword)
}

/**
 * Directories accept an empty password, or an empty name, as a log-in of anyone (RFC 4513 section 5.1): neither is sent.
 *
 * @throws ResultCodeError
 */
async function bind(client: Client, dn: string, password: string): Promise<void> {
  if (dn === '' || password === '') throw directoryFault('directoryRefused', 'no name or password')
  await client.bind(dn, password)
}

async function accepts(client: Client, dn: string, password: string): Promise<boolean> {
  if (password === '' || dn === '') return false
  try {
    await bind(client, dn, password)
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSALS.includes(error.code)) return false
    throw error
  }
}

/** Checks the password of a name that does not exist. */
async function checkInVain(
  client: Client,
  { options }: StoredDirectory,
  password: string,
): Promise<void> {
  const dn = `cn=${crypto.randomUUID()},${options.base}`
  await accepts(client, dn, password).catch((error) => {
    // Some directories refuse the name instead of the password.
    if (!(error instanceof ResultCodeError)) throw error
  })
}

/** @throws Fault unprocessable */
async function findEntry(
  client: Client,
  { options }: StoredDirectory,
  sought: Sought,
): Promise<Entry> {
  const { base, filter, idAttribute, nameAttribute } = options
  const isBinary = BINARY_IDS.includes(idAttribute)
  const condition =
    'id' in sought
      ? entryFilter(filter, idAttribute, isBinary ? Buffer.from(sought.id, 'hex') : sought.id)
      : userFilter(filter, sought.username)
  const entries = await search(client, base, 'sub', condition, {
    attributes: [idAttribute, nameAttribute, ...(readsMemberOf(options) ? ['memberOf'] : [])],
    // One more than expected shows that there are several.
    sizeLimit: 2,
    binary: isBinary ? [idAttribute, idAttribute.toLowerCase()] : [],
  })
  const [entry, ...others] = entries
  if (others.length > 0) throw entryFault('entryAmbiguous')
  if (!entry || entry.dn === '') throw entryFault('entryMissing')
  return entry
}

/** @throws Fault unprocessable (more entries than the limit); ResultCodeError */
async function search(
  client: Client,
  base: string,
  scope: 'sub' | 'one',
  filter: Filter,
  more: { attributes: string[]; sizeLimit: number; binary?: string[] },
): Promise<Entry[]> {
  const { attributes, sizeLimit, binary = [] } = more
  try {
    // References to other directories are not followed.
    const { searchEntries } = await client.search(base, {
      scope,
      filter,
      attributes,
      sizeLimit,
      derefAliases: 'never',
      explicitBufferAttributes: binary,
    })
    return searchEntries
  } catch (error) {
    if (error instanceof SizeLimitExceededError) throw entryFault('entryAmbiguous')
    throw error
  }
}

function readsMemberOf({ groupBase, groupFilter }: StoredDirectory['options']): boolean {
  return groupBase !== '' && groupFilter === ''
}

/** @returns the names of the groups directly below `groupBase`; undefined if the directory does not say */
async function groupsOf(
  client: Client,
  directory: StoredDirectory,
  entry: Entry,
): Promise<string[] | undefined> {
  const { groupBase, groupFilter: template, base } = directory.options
  if (groupBase === '') return undefined
  const dns = readsMemberOf(directory.options)
    ? await memberOf(client, base, entry)
    : await foundGroups(client, groupBase, template, {
        dn: entry.dn,
        username: usernameOf(directory, entry),
      })
  return dns
    ?.map((dn) => nameDirectlyBelow(dn, groupBase))
    .filter((name) => name !== undefined)
    .map((name) => fold(name).slice(0, TEXT_MAX_CHARS))
    .slice(0, GROUPS_MAX)
}

/**
 * A user without groups has no attribute. So has a user of a directory that does not have it, or does not show it: then no
 * user has one.
 */
async function memberOf(client: Client, base: string, entry: Entry): Promise<string[] | undefined> {
  const values = valuesOf(entry, 'memberOf').map(String)
  if (values.length > 0) return values
  // Only a part of the groups was sent, which is not a list of them.
  if (Object.keys(entry).some((name) => /^memberof;/i.test(name))) return undefined
  const filter = new PresenceFilter({ attribute: 'memberOf' })
  const more = { attributes: ['1.1'], sizeLimit: 1 }
  const others = await search(client, base, 'sub', filter, more).catch((error) => {
    if (error instanceof Fault && error.reason === 'entryAmbiguous') return [entry]
    throw error
  })
  return others.length > 0 ? [] : undefined
}

/** @returns undefined if there is no such base */
async function foundGroups(
  client: Client,
  base: string,
  template: string,
  user: { dn: string; username: string },
): Promise<string[] | undefined> {
  const more = { attributes: ['1.1'], sizeLimit: GROUPS_MAX }
  try {
    const entries = await search(client, base, 'one', groupFilter(template, user), more)
    return entries.map(({ dn }) => dn)
  } catch (error) {
    if (error instanceof NoSuchObjectError) return undefined
    throw error
  }
}

/** @throws Fault unprocessable */
function personOf(
  directory: StoredDirectory,
  entry: Entry,
  groups: string[] | undefined,
): DirectoryPerson {
  const { idAttribute } = directory.options
  const [value, ...others] = valuesOf(entry, idAttribute)
  const id = Buffer.isBuffer(value) ? value.toString('hex') : (value ?? '').toLowerCase()
  if (id === '' || others.length > 0) throw entryFault('entryWithoutId')
  const named = Object.keys(entry)
    .filter((name) => name !== 'dn')
    .map((name) => [name, valuesOf(entry, name).slice(0, GROUPS_MAX).map(shown)] as const)
  const username = usernameOf(directory, entry)
  return { dn: entry.dn, id, username, groups, attributes: Object.fromEntries(named) }
}

function usernameOf({ options }: StoredDirectory, entry: Entry): string {
  return String(valuesOf(entry, options.nameAttribute)[0] ?? '').trim()
}

/** The values of an attribute; directories ignore the case of its name. */
function valuesOf(entry: Entry, name: string): (string | Buffer)[] {
  const key = Object.keys(entry).find((known) => known.toLowerCase() === name.toLowerCase())
  const values = key === undefined ? [] : entry[key]
  return Array.isArray(values) ? values : values === undefined ? [] : [values]
}

function shown(value: string | Buffer): string {
  const text = Buffer.isBuffer(value) ? value.toString('hex') : value
  return text.slice(0, TEXT_MAX_CHARS)
}
