/** Validates and completes settings that an administrator sends. */
import { HOOKS } from '#wire/events.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { normalPermissions } from '#wire/permissions.ts'
import type { GlobalSettings } from '#wire/settings.ts'
import { FACTORY_SETTINGS } from './defaults.ts'

/**
 * Completes settings: zeros that mean the default are replaced by it (docs/api.md 1.13), and every event has a list.
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
  const settings: GlobalSettings = {
    ...sent,
    minimumPasswordLength: sent.minimumPasswordLength || FACTORY_SETTINGS.minimumPasswordLength,
    userHomeBasePath: parsePath(sent.userHomeBasePath || FACTORY_SETTINGS.userHomeBasePath),
    defaults: { ...sent.defaults, perm, scope: parsePath(sent.defaults.scope) },
    tus: sent.tus.chunkSize > 0 ? sent.tus : FACTORY_SETTINGS.tus,
    commands: Object.fromEntries(HOOKS.map((hook) => [hook, sent.commands[hook] ?? []])),
  }
  rejectUnsafeSignup(settings)
  return settings
}

/**
 * Refuses a sign-up that would give new users the files of others (docs/decisions.md 20).
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
