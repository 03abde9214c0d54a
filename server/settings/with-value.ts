/** Sets options in the settings. The key of an option is its path in the settings. */
import type { OptionValue } from '#server/config/values.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'

/** @returns a copy with one value changed; `key` may be nested: `branding.name` */
export function withValue(
  settings: GlobalSettings,
  key: string,
  value: OptionValue,
): GlobalSettings {
  const copy = structuredClone(settings)
  const groups = key.split('.')
  const field = groups.pop() ?? key
  let group: Record<string, unknown> = { ...copy }
  const changed = group
  for (const name of groups) {
    const inner: Record<string, unknown> = isRecord(group[name]) ? group[name] : {}
    group[name] = inner
    group = inner
  }
  group[field] = value
  // The keys are those of options, and `parseValue` has checked the type.
  return changed as unknown as GlobalSettings
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
