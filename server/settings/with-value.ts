/** Sets options in the settings. The key of an option is its path in the settings. */
import type { OptionValue } from '#server/config/values.ts'
import type { GlobalSettings } from '#wire/settings.ts'

/** @returns a copy with one value changed; `key` may be nested: `branding.name` */
export function withValue(
  settings: GlobalSettings,
  key: string,
  value: OptionValue,
): GlobalSettings {
  const copy = structuredClone(settings)
  const branch = key.split('.')
  const leaf = branch.pop() ?? key
  let table: Record<string, unknown> = { ...copy }
  const root = table
  for (const name of branch) {
    const inner: Record<string, unknown> = isRecord(table[name]) ? table[name] : {}
    table[name] = inner
    table = inner
  }
  table[leaf] = value
  // The keys are those of the option table, and `parseValue` has checked the type.
  return root as unknown as GlobalSettings
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
