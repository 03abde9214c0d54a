/**
 * Options that the command line or an import stores in the database, as in File Browser, so that two installations
 * of one system account are independent. Environment, files and flags take precedence (docs/decisions.md 13).
 */
import { findOption } from '#server/config/options.ts'
import { parseValue } from '#server/config/values.ts'
import type { SettingRows } from '#server/db/rows/settings.ts'

const KEY = 'installation'

export class Installation {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /** Option → value as written. */
  get(): Record<string, unknown> {
    // Written only by `put`.
    return (this.#rows.find(KEY) ?? {}) as Record<string, unknown>
  }

  /** Stores checked values, in one transaction. A value equal to the default is not stored. */
  put(values: Iterable<readonly [key: string, written: unknown]>): void {
    this.#rows.atomically(() => {
      const next = { ...this.get() }
      for (const [key, written] of values) {
        if (isDefault(key, written)) delete next[key]
        else next[key] = written
      }
      this.#rows.put(KEY, next)
    })
  }
}

function isDefault(key: string, written: unknown): boolean {
  const option = findOption(key)
  if (!option) return false
  const defaultValue = option.default === undefined ? '' : parseValue(option, option.default)
  return Bun.deepEquals(parseValue(option, written), defaultValue)
}
