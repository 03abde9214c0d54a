/**
 * Options that the command line or an import stores in the database, as in File Browser, so that two installations
 * of one system account are independent. Environment, files and flags take precedence (docs/decisions.md 13).
 */
import { findOption } from '#server/config/options.ts'
import { parseValue } from '#server/config/values.ts'
import type { SettingRows } from '#server/db/rows/settings.ts'

/** The key of the options in the table of settings. */
export const INSTALLATION_KEY = 'installation'

export class Installation {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /** Option → value as written. */
  async get(): Promise<Record<string, unknown>> {
    return storedOptions(await this.#rows.find(INSTALLATION_KEY))
  }

  /** Stores checked values, in one transaction. A value equal to the default is not stored. */
  async put(values: Iterable<readonly [key: string, written: unknown]>): Promise<void> {
    // The work may run again, and an iterator would have nothing left then.
    const all = [...values]
    await this.#rows.atomically(async () => {
      const next = { ...(await this.get()) }
      for (const [key, written] of all) {
        if (isDefault(key, written)) delete next[key]
        else next[key] = written
      }
      await this.#rows.put(INSTALLATION_KEY, next)
    })
  }
}

/** @returns option → value as written, of a stored setting */
export function storedOptions(stored: unknown): Record<string, unknown> {
  // Written only by `put`.
  return (stored ?? {}) as Record<string, unknown>
}

function isDefault(key: string, written: unknown): boolean {
  const option = findOption(key)
  if (!option) return false
  const defaultValue = option.default === undefined ? '' : parseValue(option, option.default)
  return Bun.deepEquals(parseValue(option, written), defaultValue)
}
