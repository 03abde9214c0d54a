/** Messages for failures. */
import { Fault, type FaultReason, isFault, readFaultHeader } from '#wire/fault.ts'
import { t } from './i18n.ts'

/**
 * Faults whose English message from the server says more than the code. A fault that users often cause has a reason
 * instead, which is translated.
 */
const DETAILED = ['badRequest', 'unprocessable'] as const

/** A message that says what failed and what to do, in the user's language. */
export function faultText(error: unknown): string {
  if (!(error instanceof Fault)) return t('fault.internal')
  if (error.reason) return reasonText(error.reason, error.params)
  if (isFault(error, ...DETAILED) && error.message !== '') return error.message
  return t(`fault.${error.code}`)
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
  return t(REASONS[reason], { ...params })
}

const REASONS = {
  contentDeleted: 'fault.contentDeleted',
  passwordEmpty: 'login.passwordEmpty',
  passwordTooShort: 'login.passwordTooShort',
  passwordTooLong: 'login.passwordTooLong',
  passwordTooEasy: 'login.passwordTooEasy',
  currentPasswordWrong: 'login.currentPasswordWrong',
  rightMissing: 'fault.forbidden',
  ruleDenies: 'fault.ruleDenies',
  dotfilesHidden: 'fault.dotfilesHidden',
  providerLoginOld: 'fault.providerLoginOld',
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
  changedMeanwhile: 'fault.changedMeanwhile',
  archiveDamaged: 'archive.damaged',
  archiveEncrypted: 'archive.encrypted',
  archiveTooLarge: 'archive.tooLarge',
  attemptsTooMany: 'login.tooMany',
  backslashEnd: 'fault.backslashEnd',
  favouritesFull: 'fault.favouritesFull',
  fileTooLarge: 'uploads.why.tooLarge',
  intoItself: 'fault.intoItself',
  invitationsFull: 'fault.invitationsFull',
  nameEnding: 'fault.nameEnding',
  quoteOpen: 'fault.quoteOpen',
  searchTooLong: 'fault.searchTooLong',
  sharesFull: 'fault.sharesFull',
  terminalsFull: 'fault.terminalsFull',
  tooDeep: 'fault.tooDeep',
  uploadsFull: 'fault.uploadsFull',
  usernameUnsuitable: 'fault.usernameUnsuitable',
  homeTaken: 'fault.homeTaken',
  alreadyUndone: 'fault.alreadyUndone',
  undoTaken: 'fault.undoTaken',
  undoChanged: 'fault.undoChanged',
  undoMoved: 'fault.undoMoved',
  checksumWrong: 'fault.checksumWrong',
  folderNotEmpty: 'fault.folderNotEmpty',
  importRefused: 'prompts.import.refused',
  nameTwice: 'fault.nameTwice',
  diskSilent: 'fault.diskSilent',
  changeMayFollow: 'fault.changeMayFollow',
  notMounted: 'fault.notMounted',
  notKept: 'fault.notKept',
  notPublic: 'fault.notPublic',
  sameDestination: 'fault.sameDestination',
  specialFile: 'fault.specialFile',
  snapshotName: 'fault.snapshotName',
  publicAddressMissing: 'settings.identity.problems.publicAddressMissing',
  issuerInvalid: 'settings.identity.problems.issuerInvalid',
  providerUnknown: 'settings.identity.problems.unknown',
  providerDown: 'settings.identity.problems.down',
  providerSlow: 'settings.identity.problems.slow',
  providerInvalid: 'settings.identity.problems.invalid',
  providerRefused: 'settings.identity.problems.refused',
  providerFailed: 'settings.identity.problems.failed',
  providerClient: 'settings.identity.problems.client',
  providerClock: 'settings.identity.problems.clock',
  providerMismatch: 'settings.identity.problems.mismatch',
  loginEnded: 'settings.identity.problems.ended',
  identityUnknown: 'settings.identity.problems.noAccount',
  identityNameTaken: 'settings.identity.problems.nameTaken',
  identityNameless: 'settings.identity.problems.nameless',
  identityForbidden: 'settings.identity.problems.forbidden',
  identityRemoved: 'settings.identity.problems.removed',
  identityTaken: 'settings.identity.problems.taken',
  noConnection: 'fault.unavailable',
} as const satisfies Record<FaultReason, string>
