/** Where the rows are stored: in an SQLite file, or in a database of a PostgreSQL server. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Fault } from '#wire/fault.ts'
import { readFileText } from './document.ts'
import { passwordIn, withoutLineEnd } from './password-file.ts'

export interface FileAddress {
  kind: 'file'
  path: string
}

export interface ServerAddress {
  kind: 'postgres'
  /** `postgres://USER@HOST:PORT/DATABASE`, without a password. */
  url: string
  /** The files with its password that exist. */
  passwordFiles: readonly string[]
  /**
   * @returns empty if there is none
   * @throws Fault if a file with the password cannot be read
   */
  password(): string
}

export type DatabaseAddress = FileAddress | ServerAddress

/** The address as it is written after `--database`, without a password. */
export function databaseText(address: DatabaseAddress): string {
  return address.kind === 'file' ? address.path : address.url
}

/** @returns what the operator wrote for a database of a server is such an address, and no path */
export function isServerUrl(written: string): boolean {
  return /^postgres(ql)?:\/\//i.test(written)
}

const EXAMPLE = 'postgres://USER@HOST/DATABASE'
const OTHER_URL = /^[a-z][a-z\d+.-]+:\/\//i
const NEITHER = `name a file, or a database of a PostgreSQL server: ${EXAMPLE}.`
/** What the address may have after `?`, as for the programs of PostgreSQL. */
const PARAMETERS = ['sslmode', 'sslrootcert', 'host']
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * Separates the password from an address.
 *
 * @returns `text`: a path as it is, or the address of a server without its password
 * @throws Fault badRequest for an address that is not valid. It does not contain the address, which may have a password.
 */
export function readAddress(written: string): { text: string; password: string } {
  if (!isServerUrl(written)) {
    if (OTHER_URL.test(written)) throw new Fault('badRequest', `database: ${NEITHER}`)
    return { text: written, password: '' }
  }
  if (!URL.canParse(written)) throw invalid(`is not an address such as ${EXAMPLE}`)
  const url = new URL(written)
  const password = decoded(url.password)
  url.password = ''
  refuseParts(url)
  return { text: url.href.replace(/^postgresql:/i, 'postgres:'), password }
}

/** @throws Fault badRequest */
function refuseParts({ username, hostname, pathname, searchParams, hash }: URL): void {
  if (hostname === '' || username === '' || !/^\/[^/]+$/.test(pathname)) {
    throw invalid(`names a user, a host and a database: ${EXAMPLE}`)
  }
  decoded(username)
  decoded(pathname)
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined || hash !== '') {
    throw invalid(`may have only ${PARAMETERS.join(', ')} after the name of the database`)
  }
  const mode = searchParams.get('sslmode')
  if (mode !== null && !TLS_MODES.includes(mode)) {
    throw invalid(`has one of these as sslmode: ${TLS_MODES.join(', ')}`)
  }
}

function invalid(what: string): Fault {
  return new Fault('badRequest', `database: the address of a PostgreSQL server ${what}.`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalid('has a % that begins no code such as %20')
  }
}

/** The refusal of a password on the command line, which all accounts of the machine can read. */
export function passwordInArguments(source: string): Fault {
  return new Fault(
    'badRequest',
    `${source}: a password in the arguments is shown in the list of processes. Write the address without it, and the password to a file that --database-password-file names, or to FILEMGR_DATABASE_PASSWORD.`,
  )
}

/**
 * @param url as of `readAddress`
 * @param written the password in the address as it was written; empty if there was none
 * @param sources `named`: the file that an option names; empty if none does; `file`: the configuration file, if the password
 *   was written there
 */
export function serverAddress(
  url: string,
  written: string,
  { named, file, env }: { named: string; file?: string | undefined; env: NodeJS.ProcessEnv },
): ServerAddress {
  const passFile = env.PGPASSFILE || join(env.HOME || homedir(), '.pgpass')
  const files = [file ?? '', named && resolve(named), existsSync(passFile) ? passFile : '']
  const fromEnvironment = env.FILEMGR_DATABASE_PASSWORD || env.PGPASSWORD
  return {
    kind: 'postgres',
    url,
    passwordFiles: files.filter((file) => file !== ''),
    password() {
      if (written !== '') return written
      if (named) return withoutLineEnd(readFileText(named))
      return fromEnvironment || (existsSync(passFile) ? passwordFrom(passFile, url) : '')
    },
  }
}

/** Reads the file of PostgreSQL's programs. They too use it only if other accounts cannot read it. */
function passwordFrom(passFile: string, url: string): string {
  const OTHERS = 0o077
  if (process.platform !== 'win32' && (statSync(passFile).mode & OTHERS) !== 0) return ''
  return passwordIn(readFileSync(passFile, 'utf8'), new URL(url)) ?? ''
}
