/** The directories (LDAP) of an installation. */
import { X509Certificate } from 'node:crypto'
import type { DirectoryRows, StoredDirectory } from '#server/db/rows/directories.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type {
  DirectoryChange,
  DirectoryOptions,
  ShownDirectory,
  TypedDirectory,
} from '#wire/api/directory.ts'
import { Fault } from '#wire/fault.ts'
import type { EndSessions } from '../identity/providers.ts'
import { groupFilter, userFilter } from './directory-filters.ts'
import { directoryUrl } from './directory-sockets.ts'
import { parseName } from './distinguished-names.ts'

/** The options that say to whom the password is sent, and how. */
const CONFIRMED = ['address', 'isPlain', 'ca', 'bindDN'] as const

export class Directories {
  readonly #rows: DirectoryRows
  readonly #endSessions: EndSessions

  constructor(rows: DirectoryRows, endSessions: EndSessions) {
    this.#rows = rows
    this.#endSessions = endSessions
  }

  list(): Promise<StoredDirectory[]> {
    return this.#rows.list()
  }

  async ids(): Promise<string[]> {
    return (await this.#rows.list()).map(({ id }) => id)
  }

  /** Those that users can log in with. */
  async enabled(): Promise<StoredDirectory[]> {
    return (await this.#rows.list()).filter(({ isEnabled }) => isEnabled)
  }

  /** What users see. */
  async shown(): Promise<ShownDirectory[]> {
    return (await this.enabled()).map(({ id, label }) => ({ id, label }))
  }

  /** @throws Fault notFound */
  async get(id: string): Promise<StoredDirectory> {
    const directory = await this.#rows.find(id)
    if (directory) return directory
    throw new Fault('notFound', `There is no directory ${id}.`, { reason: 'directoryUnknown' })
  }

  /** @throws Fault notFound (there is none, or it is switched off) */
  async getEnabled(id: string): Promise<StoredDirectory> {
    const directory = await this.get(id)
    if (directory.isEnabled) return directory
    throw new Fault('notFound', `The directory ${id} is switched off.`, {
      reason: 'directoryUnknown',
    })
  }

  /** @returns the directory of an identity; undefined if it was removed, or the identity is of another kind */
  async findByIssuer(issuer: string): Promise<StoredDirectory | undefined> {
    return (await this.#rows.list()).find(({ id }) => issuerOf(id) === issuer)
  }

  async isInUse(issuer: string): Promise<boolean> {
    return (await this.findByIssuer(issuer))?.isEnabled ?? false
  }

  /**
   * A directory as it is typed, for a test before it is saved. The stored password is used only where it was confirmed
   * for: with the same server, account and encryption. So no one can have it sent elsewhere.
   *
   * @throws Fault badRequest (a field is not valid, or the password is missing)
   */
  async typed(id: string, { options, bindPassword }: TypedDirectory): Promise<StoredDirectory> {
    const stored = await this.#rows.find(id)
    const isSame = CONFIRMED.every((name) => stored?.options[name] === options[name])
    const known = (isSame && stored?.bindPassword) || ''
    const password = bindPassword ?? known
    check(options, password)
    return { id, label: id, bindPassword: password, isEnabled: false, options }
  }

  /**
   * @param otherIds reads the ids of providers, in the same transaction
   * @throws Fault badRequest (a field is not valid), conflict (the id is taken), tooMany
   */
  async add(change: DirectoryChange, otherIds: () => Promise<readonly string[]>): Promise<void> {
    await this.#rows.atomically(async () => {
      const directories = await this.#rows.list()
      if ([...(await otherIds()), ...directories.map(({ id }) => id)].includes(change.id)) {
        throw new Fault('conflict', `There is a provider ${change.id} already.`)
      }
      if (directories.length >= SERVER_LIMITS.providersMax) {
        throw new Fault('tooMany', `There can be ${SERVER_LIMITS.providersMax} directories.`)
      }
      await this.#put(change, change.bindPassword ?? '')
    })
  }

  /**
   * Changes a directory. If it is switched off, the sessions that it opened end.
   *
   * @throws Fault badRequest (a field is not valid), notFound
   */
  async change(change: DirectoryChange): Promise<void> {
    await this.#rows.atomically(async () => {
      await this.#put(change, change.bindPassword ?? (await this.get(change.id)).bindPassword)
      if (!change.isEnabled) await this.#endSessions(issuerOf(change.id))
    })
  }

  /**
   * Switches a directory on or off.
   *
   * @returns how many sessions that it opened have ended
   * @throws Fault notFound
   */
  async setEnabled(id: string, isEnabled: boolean): Promise<number> {
    return this.#rows.atomically(async () => {
      await this.#rows.put({ ...(await this.get(id)), isEnabled })
      return isEnabled ? 0 : await this.#endSessions(issuerOf(id))
    })
  }

  /**
   * Users stay linked: they can log in again when a directory with the same id is added.
   *
   * @returns how many sessions that it opened have ended
   * @throws Fault notFound
   */
  async remove(id: string): Promise<number> {
    return this.#rows.atomically(async () => {
      if (!(await this.#rows.remove(id))) await this.get(id)
      return this.#endSessions(issuerOf(id))
    })
  }

  async #put(
    { id, label, isEnabled, options }: DirectoryChange,
    bindPassword: string,
  ): Promise<void> {
    check(options, bindPassword)
    await this.#rows.put({ id, label, bindPassword, options, isEnabled })
  }
}

/** What the issuers of directories begin with: no address of a provider does. */
const SCHEME = 'ldap:'

/** The issuer of the identities of a directory. */
export function issuerOf(id: string): string {
  return SCHEME + id
}

export function isDirectoryIssuer(issuer: string): boolean {
  return issuer.startsWith(SCHEME)
}

/** @throws Fault badRequest */
function check(options: DirectoryOptions, bindPassword: string): void {
  const { protocol } = directoryUrl(options.address)
  if (options.isPlain && protocol === 'ldaps:') {
    throw invalid('directoryAddress', 'isPlain', 'A connection with ldaps:// is encrypted.')
  }
  for (const field of ['bindDN', 'base', 'groupBase'] as const) checkName(options[field], field)
  if (options.base === '') throw invalid('directoryName', 'base', 'The base is missing.')
  if (options.bindDN !== '' && bindPassword === '') {
    throw invalid('directoryPassword', 'bindPassword', 'The password of the server is missing.')
  }
  userFilter(options.filter, '')
  if (options.groupFilter !== '') groupFilter(options.groupFilter, { dn: '', username: '' })
  if (options.ca !== '') checkCertificates(options.ca)
}

function checkName(text: string, field: string): void {
  try {
    parseName(text)
  } catch {
    throw invalid('directoryName', field, `${field} is not a distinguished name.`)
  }
}

function checkCertificates(ca: string): void {
  const certificates = ca.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []
  try {
    for (const one of certificates) new X509Certificate(one)
    if (certificates.length > 0) return
  } catch {
    // Reported below.
  }
  throw invalid('directoryCertificate', 'ca', 'The certificates are not valid PEM.')
}

function invalid(
  reason: 'directoryAddress' | 'directoryName' | 'directoryCertificate' | 'directoryPassword',
  field: string,
  message: string,
): Fault {
  return new Fault('badRequest', message, { reason, field })
}
