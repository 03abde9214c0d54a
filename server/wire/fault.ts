/**
 * The only error type.
 *
 * Any module may throw a Fault. The storage creates them from errno, `http/context/faults.ts` converts a code to a status,
 * `cli/exit.ts` to an exit code, `ui/i18n/faults.ts` to a text in the user's language.
 */
export const FAULT_CODES = [
  'badRequest',
  'unauthenticated',
  'forbidden',
  /** The target of a symbolic link is outside the actor's folder, or the links form a loop. */
  'outside',
  'wrongCredentials',
  'notFound',
  /** The resource existed, and can never exist again: an upload, or deleted content that undo needs. */
  'expired',
  'methodNotAllowed',
  'conflict',
  'usernameTaken',
  'notDirectory',
  'isDirectory',
  'precondition',
  'tooLarge',
  'unsupported',
  'rangeUnsatisfiable',
  'unprocessable',
  'locked',
  'tooMany',
  'noSpace',
  'readOnly',
  'unavailable',
  'aborted',
  'internal',
] as const

export type FaultCode = (typeof FAULT_CODES)[number]

/** The reason of a fault, if clients need more than the code. Each has a text in the user's language. */
const FAULT_REASONS = [
  /** Undo: what was removed or replaced is not in the trash any more. */
  'contentDeleted',
  'passwordEmpty',
  'passwordTooShort',
  'passwordTooLong',
  'passwordTooEasy',
  'currentPasswordWrong',
  /** The account has no permission for this. */
  'rightMissing',
  /** The operating system does not let the account of the server read or change it. */
  'systemDenies',
  /** A rule denies the path. */
  'ruleDenies',
  /** The account does not show names that begin with a dot. */
  'dotfilesHidden',
  /** The log-in with a provider is too long ago to confirm a change. */
  'providerLoginOld',
  /** The account has a second factor. */
  'codeNeeded',
  'codeWrong',
  /** The account must have a second factor from now on, and has none. */
  'factorDue',
  /** A new second factor was not confirmed in time. */
  'draftExpired',
  /** The code of the second factor came too late after the password. */
  'signInExpired',
  /** The passkey was removed, or belongs to another user. */
  'passkeyUnknown',
  /** The passkey belongs to another address of this server. */
  'passkeyElsewhere',
  'passkeyRefused',
  'passkeysFull',
  /** Browsers accept no passkeys at the address of this server. */
  'passkeysNowhere',
  /** The length or the characters of the user name are not allowed. */
  'usernameInvalid',
  /** The setting `signup`, with which new users would reach the files of others. */
  'openSignup',
  'publicAddressInvalid',
  'captchaUnsolved',
  /** The password of a share. */
  'sharePasswordWrong',
  'commandNotAllowed',
  'changedMeanwhile',
  'archiveDamaged',
  'archiveEncrypted',
  'archiveTooLarge',
  'attemptsTooMany',
  'backslashEnd',
  'favouritesFull',
  'fileTooLarge',
  'intoItself',
  'invitationsFull',
  'nameEnding',
  /** A name that no file can have: an empty one, `..`, or one with a slash or a NUL character. */
  'nameInvalid',
  /** A name in an archive that begins with a slash or contains `..`. */
  'nameOutside',
  /** The file system does not accept the name. */
  'nameRefused',
  'nameTooLong',
  /** The path belongs to the server, or to snapshots of the file system. */
  'nameReserved',
  'quoteOpen',
  'searchTooLong',
  'sharesFull',
  'terminalsFull',
  'tooDeep',
  'uploadsFull',
  /**
   * The user name is allowed, but each user gets a folder, and no folder can have this name, or (`conflict`) another
   * user has the folder.
   */
  'usernameUnsuitable',
  'homeTaken',
  'alreadyUndone',
  /** The name is taken, the object has changed since, or its folder is not the one that it was: it was not undone. */
  'undoTaken',
  'undoChanged',
  'undoMoved',
  'checksumWrong',
  'folderNotEmpty',
  'importRefused',
  /** An archive or a list of checksums has two entries of this name. */
  'nameTwice',
  /** A disk does not respond; `changeMayFollow`: it was already told to make the change. */
  'diskSilent',
  'changeMayFollow',
  'notMounted',
  /** A folder with a mount in it cannot be renamed, moved or deleted. */
  'holdsMount',
  /** What is deleted here does not go to the trash. */
  'notKept',
  'notPublic',
  /** The disk of the server's database is full. */
  'databaseFull',
  'sameDestination',
  /** A symbolic link whose target does not exist, or that leads to itself. */
  'linkTargetMissing',
  /** A link whose target is outside the folder, a pipe, a socket or a device; a copy leaves it out. */
  'specialFile',
  /** A snapshot of the file system, which a copy or an archive leaves out. */
  'snapshotName',
  /** Only in the interface: the device has a passkey of the account. */
  'passkeyExists',
  /** The public address of the installation is not set, which a log-in with a provider needs. */
  'publicAddressMissing',
  'issuerInvalid',
  /** The provider does not exist, or is switched off. */
  'providerUnknown',
  /** It accepts no connection at its address and port. */
  'providerDown',
  /** No server has the name in its address. */
  'providerNameUnknown',
  /** No connection with encryption, or its certificate is not accepted. */
  'providerTls',
  'providerSlow',
  /** There is no discovery document at its address. */
  'providerNoDocument',
  /** Its discovery document names another issuer than its address. */
  'providerIssuer',
  /** It redirects, sends too much, or something else than the standard says. */
  'providerInvalid',
  /** The provider refused the log-in, or the user cancelled it there. */
  'providerRefused',
  'providerFailed',
  /** The client id or the client secret is wrong. */
  'providerClient',
  'providerClock',
  /** A check of the response failed: state, nonce, issuer, audience, signature or subject. */
  'providerMismatch',
  /** The address, the filter, a distinguished name or the certificates of a directory are not valid. */
  'directoryAddress',
  'directoryFilter',
  'directoryName',
  'directoryCertificate',
  'directoryPassword',
  /** The directory does not exist, or is switched off. */
  'directoryUnknown',
  'directoryDown',
  'directorySlow',
  /** No connection with encryption, or its certificate is not accepted. */
  'directoryTls',
  /** It refuses the search: the name or password of the server there, or its rights. */
  'directoryRefused',
  /** It sends too much, or something else than the standard says. */
  'directoryInvalid',
  /** No entry, or several, have the name; an entry without the attribute that identifies it. */
  'entryMissing',
  'entryAmbiguous',
  'entryWithoutId',
  /** The log-in took too long, was used before, or began in another browser. */
  'loginEnded',
  /** No account is linked with the account at the provider, and none is made. */
  'identityUnknown',
  /** As `identityUnknown`; the name of the new account is taken, or there is none, or it is not suitable. */
  'identityNameTaken',
  'identityNameless',
  /** The account at the provider is in none of the groups that may log in. */
  'identityForbidden',
  'identityRemoved',
  /** The account at the provider is linked with another user. */
  'identityTaken',
  /** Only in the interface: a request without a response. */
  'noConnection',
] as const

export type FaultReason = (typeof FAULT_REASONS)[number]

export interface FaultOptions {
  cause?: unknown
  /** The error of the operating system that caused it, such as `EACCES`. Never sent to clients. */
  errno?: string
  /** The status of the response, for a client. */
  status?: number
  retryAfterSec?: number
  reason?: FaultReason
  /** The invalid field of the request. */
  field?: string
  /** Numbers that the texts of the reason contain, such as a length. */
  params?: Readonly<Record<string, number>>
  /** The folder on which the disk of the fault is mounted, for the user. */
  disk?: string
  /** What the fault is about, if it is not what the request names: a path below that. */
  item?: string
}

/**
 * An error with one of `FAULT_CODES`.
 *
 * `message` is in English, for users of other programs. It may repeat the user's input, but never contains a path on the
 * server, a hash or a stack. Details for the operator are in `cause`.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  /** Seconds after which the request may succeed, for temporary faults. */
  readonly retryAfterSec: number | undefined
  readonly reason: FaultReason | undefined
  readonly field: string | undefined
  readonly params: Readonly<Record<string, number>>
  readonly disk: string | undefined
  readonly item: string | undefined
  /** The error of the operating system; undefined if the server itself refused. */
  readonly errno: string | undefined
  /** The status of the response, for a client; undefined without a response. */
  readonly status: number | undefined

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryAfterSec = options.retryAfterSec
    this.reason = options.reason
    this.field = options.field
    this.params = options.params ?? {}
    this.disk = options.disk
    this.item = options.item
    this.errno = options.errno
    this.status = options.status
  }
}

/** Whether `error` is a Fault, with one of the given codes if any are given. */
export function isFault(error: unknown, ...codes: FaultCode[]): error is Fault {
  return error instanceof Fault && (codes.length === 0 || codes.includes(error.code))
}

/** Whether the operating system refuses access, and not a rule or a missing right. */
export function isRefusedBySystem(error: unknown): error is Fault {
  return isFault(error, 'forbidden') && error.errno !== undefined
}

/** An error with its causes, for the log. */
export function describeCauses(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? String(error) : `${error} Cause: ${describeCauses(cause)}`
}

/**
 * The value of `X-Fault`: the code, with reason, field, disk, item and numbers as parameters (RFC 9110 section 5.6.6):
 * `badRequest; reason=passwordTooShort; field=password; length=12`.
 */
export function faultHeader({ code, reason, field, params, disk, item }: Fault): string {
  const paths = { disk: encodedPath(disk), item: encodedPath(item) }
  const pairs = Object.entries({ reason, field, ...paths, ...params }).filter(
    ([, value]) => value !== undefined,
  )
  return [code, ...pairs.map(([name, value]) => `${name}=${value}`)].join('; ')
}

function encodedPath(path: string | undefined): string | undefined {
  return path === undefined ? undefined : encodeURIComponent(path.toWellFormed())
}

/**
 * Parses the value of `faultHeader`. Unknown reasons, and parameters that are not numbers, are left out.
 *
 * @returns undefined if there is no valid code
 */
export function readFaultHeader(text: string):
  | {
      code: FaultCode
      options: Pick<FaultOptions, 'reason' | 'field' | 'params' | 'disk' | 'item'>
    }
  | undefined {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim())
  const code = FAULT_CODES.find((known) => known === name)
  if (!code) return undefined
  const pairs = rest.map((pair) => pair.split('=')).filter(([, value]) => value)
  const { reason: reasonText, field, disk, item, ...others } = Object.fromEntries(pairs)
  const reason = FAULT_REASONS.find((known) => known === reasonText)
  const numbers = Object.entries(others).map(([key, value]) => [key, Number(value)] as const)
  const params = Object.fromEntries(numbers.filter(([, number]) => Number.isFinite(number)))
  const named = { ...(reason && { reason }), ...(field && { field }) }
  const paths = {
    ...(disk && { disk: decodeURIComponent(disk) }),
    ...(item && { item: decodeURIComponent(item) }),
  }
  return { code, options: { ...named, ...paths, params } }
}
