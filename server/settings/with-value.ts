/** Sets options of the table in settings, whose branches have the names of the options' keys. */
import type { OptionValue } from '#server/config/values.ts'
import type { GlobalSettings } from '#wire/settings.ts'

/** A copy with one value changed; `key` may name a branch: `branding.name`. */
export function withValue(
  settings: GlobalSettings,
  key: string,
  value: OptionValue,
): GlobalSettings {
  const copy = structuredClone(settings)
  const branch = key.split('.')
  const leaf = branch.pop() ?? key
  let at: Record<string, unknown> = { ...copy }
  const top = at
  for (const name of branch) {
    const inner: Record<string, unknown> = isTable(at[name]) ? at[name] : {}
    at[name] = inner
    at = inner
  }
  at[leaf] = value
  // The option table's keys are the settings' own, and `parseValue` has checked the value's type.
  return top as unknown as GlobalSettings
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
