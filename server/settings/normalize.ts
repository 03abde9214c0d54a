/** Validates and completes settings that an administrator sends. */
import { HOOK_NAMES } from '#wire/api/events.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { normalPermissions } from '#wire/permissions.ts'
import { DEFAULT_SETTINGS } from './defaults.ts'
import { parsePublicAddress } from './public-address.ts'

/**
 * Completes and checks settings.
 *
 * @throws Fault badRequest for contradictory settings
 */
export function normalizeSettings(sent: GlobalSettings): GlobalSettings {
  const perm = normalPermissions(sent.defaults.perm)
  if (perm.share && !perm.download) {
    throw new Fault(
      'badRequest',
      'defaults.perm: the permission to share requires the permission to download.',
    )
  }
  const completed = completeSettings(sent)
  const settings: GlobalSettings = {
    ...completed,
    userHomeBasePath: parsePath(completed.userHomeBasePath),
    publicAddress: parsePublicAddress(completed.publicAddress),
    secondFactorFrom: secondFactorDay(completed),
    defaults: { ...sent.defaults, perm, scope: parsePath(sent.defaults.scope) },
  }
  rejectUnsafeSignup(settings)
  return settings
}

/**
 * @returns from which day on users must have a second factor; empty if no one must
 * @throws Fault badRequest for a text that is no day
 */
function secondFactorDay({ secondFactorFor, secondFactorFrom }: GlobalSettings): string {
  if (secondFactorFor === 'none') return ''
  if (secondFactorFrom === '') return dayAfter(LIMITS.secondFactorDays)
  if (/^\d{4}-\d\d-\d\d$/.test(secondFactorFrom) && !Number.isNaN(Date.parse(secondFactorFrom)))
    return secondFactorFrom
  throw new Fault('badRequest', 'secondFactorFrom is a day, such as 2026-12-13.', {
    field: 'secondFactorFrom',
  })
}

/** The day in so many days, by the clock of this machine. */
function dayAfter(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  const [year, month, date] = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
  return [year, month, date].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Replaces zeros and empty texts by the default, which they mean (docs/api.md 1.13), and adds missing event lists. */
export function completeSettings(sent: GlobalSettings): GlobalSettings {
  return {
    ...sent,
    minimumPasswordLength: sent.minimumPasswordLength || DEFAULT_SETTINGS.minimumPasswordLength,
    userHomeBasePath: sent.userHomeBasePath || DEFAULT_SETTINGS.userHomeBasePath,
    tus: completeTus(sent.tus),
    commands: Object.fromEntries(HOOK_NAMES.map((hook) => [hook, sent.commands[hook] ?? []])),
  }
}

/** As in File Browser, two zeros mean the default of both. No retries are a choice if the size is given. */
function completeTus({ chunkSize, retryCount }: GlobalSettings['tus']): GlobalSettings['tus'] {
  const defaults = DEFAULT_SETTINGS.tus
  if (chunkSize === 0 && retryCount === 0) return defaults
  return { chunkSize: chunkSize || defaults.chunkSize, retryCount }
}

/**
 * Refuses open sign-up that would show the whole root to new users (docs/decisions.md 20). A default scope below the
 * root is accepted, also if it contains the home folders of others: the administrator has chosen what new users see.
 *
 * @throws Fault badRequest
 */
export function rejectUnsafeSignup({ signup, createUserDir, defaults }: GlobalSettings): void {
  if (!signup || createUserDir || parsePath(defaults.scope) !== ROOT) return
  throw new Fault(
    'badRequest',
    'Open sign-up needs a folder for each user: switch createUserDir on, or set defaults.scope to another folder than the root.',
    { reason: 'openSignup', field: 'signup' },
  )
}
