/** Messages for failures. */
import { Fault, type FaultReason, isFault, readFaultHeader } from '#wire/fault.ts'
import { formatSize } from './format.ts'
import { t } from './i18n.ts'

/**
 * Faults whose English message from the server says more than the code. A fault that users often cause has a reason
 * instead, which is translated.
 */
const DETAILED = ['badRequest', 'unprocessable'] as const

/** A message that says what failed and what to do, in the user's language. */
export function faultText(error: unknown): string {
  if (!(error instanceof Fault)) return t('fault.internal')
  // An English message names the item itself.
  if (isDetailed(error)) return error.message
  const text = codeText(error)
  return error.item ? t('toasts.about', { name: error.item, what: text }) : text
}

function isDetailed(error: Fault): boolean {
  return !error.reason && isFault(error, ...DETAILED) && error.message !== ''
}

/** The message of the reason of a fault, or of its code. */
function codeText(error: Fault): string {
  if (error.reason) return reasonText(error.reason, error.params)
  if (error.code === 'noSpace') return [diskFullText(error), trashText(error)].join('')
  return t(`fault.${error.code}`)
}

/** @returns how many bytes of a full disk the trash of the user takes up; 0 for another failure */
export function trashBytesOf(error: unknown): number {
  return error instanceof Fault ? (error.params.trashBytes ?? 0) : 0
}

/** Names the disk that is full. */
export function diskFullText(error: unknown): string {
  const disk = error instanceof Fault ? error.disk : undefined
  return disk ? t('fault.diskFull', { disk: disk.slice(1) }) : t('fault.noSpace')
}

/** What the user's own trash takes up on a full disk, after a space; empty without it. */
function trashText(error: Fault): string {
  const size = trashBytesOf(error)
  return size > 0 ? ` ${t('fault.trashHolds', { size: formatSize(size) })}` : ''
}

/** Codes whose English message says more than the code, if the server stored it, for example with a job. */
const DETAILED_IF_STORED = [...DETAILED, 'tooLarge', 'unsupported', 'unavailable'] as const

/**
 * The message of a fault that the server stored.
 *
 * @param fault as in `X-Fault`
 * @param message the English message
 */
export function storedFaultText(fault: string, message: string): string {
  const stored = storedFault(fault, message)
  const isDetailed = !stored.reason && isFault(stored, ...DETAILED_IF_STORED) && message !== ''
  return isDetailed ? message : faultText(stored)
}

/** @returns the fault that the server stored; see `storedFaultText` */
export function storedFault(fault: string, message: string): Fault {
  const { code, options } = readFaultHeader(fault) ?? { code: 'internal' as const, options: {} }
  return new Fault(code, message, options)
}

/** The message of a reason, with its numbers. */
export function reasonText(reason: FaultReason, params: Fault['params'] = {}): string {
  if (isNamed(reason)) return t(NAMED[reason], { ...params })
  if (isOfProvider(reason)) return t(`settings.identity.problems.${reason}`, { path: DISCOVERY })
  return t(`fault.${reason}`, { ...params })
}

/** Where a provider has its discovery document, below its address. */
const DISCOVERY = '/.well-known/openid-configuration'

/** Reasons whose message has another name. */
const NAMED = {
  linkTargetMissing: 'errors.brokenLink.pageHint',
  systemDenies: 'errors.unreadable.pageHint',
  passwordEmpty: 'login.passwordEmpty',
  passwordTooShort: 'login.passwordTooShort',
  passwordTooLong: 'login.passwordTooLong',
  passwordTooEasy: 'login.passwordTooEasy',
  currentPasswordWrong: 'login.currentPasswordWrong',
  rightMissing: 'fault.forbidden',
  sharePasswordWrong: 'share.locked.wrong',
  codeNeeded: 'settings.secondFactor.needed',
  codeWrong: 'settings.secondFactor.wrong',
  factorDue: 'settings.secondFactor.due',
  draftExpired: 'settings.secondFactor.expired',
  signInExpired: 'settings.secondFactor.expired',
  passkeyUnknown: 'settings.passkeys.unknown',
  passkeyElsewhere: 'settings.passkeys.otherAddress',
  passkeyRefused: 'settings.passkeys.refused',
  passkeysFull: 'settings.passkeys.full',
  passkeysNowhere: 'settings.passkeys.insecure',
  passkeyExists: 'settings.passkeys.exists',
  usernameInvalid: 'login.usernameInvalid',
  openSignup: 'settings.access.signup.open',
  publicAddressInvalid: 'settings.access.publicAddress.invalid',
  captchaUnsolved: 'login.captchaMissing',
  commandNotAllowed: 'shell.notAllowed',
  archiveDamaged: 'archive.damaged',
  archiveEncrypted: 'archive.encrypted',
  archiveTooLarge: 'archive.tooLarge',
  attemptsTooMany: 'login.tooMany',
  fileTooLarge: 'uploads.why.tooLarge',
  importRefused: 'prompts.import.refused',
  publicAddressMissing: 'settings.identity.problems.publicAddressMissing',
  issuerInvalid: 'settings.identity.problems.issuerInvalid',
  directoryUnknown: 'settings.identity.problems.providerUnknown',
  loginEnded: 'settings.identity.problems.ended',
  noConnection: 'fault.unavailable',
} as const satisfies Partial<Record<FaultReason, string>>

function isNamed(reason: FaultReason): reason is keyof typeof NAMED {
  return reason in NAMED
}

/** Messages of a log-in with a provider or a directory, which the first page does not load. */
function isOfProvider(
  reason: FaultReason,
): reason is Extract<FaultReason, `${'provider' | 'identity' | 'directory' | 'entry'}${string}`> {
  return /^(?:provider|identity|directory|entry)/.test(reason)
}
