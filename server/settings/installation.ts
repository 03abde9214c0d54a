/**
 * What `config set`, `config init` and `config import` decided of one installation before its start:
 * it is kept with its database, as File Browser keeps it, so that two installations of one account
 * have nothing in common. Environment, files and flags count more (docs/decisions.md 13).
 */
import { findOption } from '#server/config/options.ts'
import { parseValue } from '#server/config/values.ts'
import type { SettingRows } from '#server/db/settings.ts'

const KEY = 'installation'

export class Installation {
  readonly #rows: SettingRows

  constructor(rows: SettingRows) {
    this.#rows = rows
  }

  /** Option → value as somebody wrote it. */
  get(): Record<string, unknown> {
    // Written by `put` alone.
    return (this.#rows.find(KEY) ?? {}) as Record<string, unknown>
  }

  /** Keeps further values, which are checked already. One that is the default anyway is not kept. */
  put(values: Iterable<readonly [key: string, written: unknown]>): void {
    const next = { ...this.get() }
    for (const [key, written] of values) {
      if (isDefault(key, written)) delete next[key]
      else next[key] = written
    }
    this.#rows.put(KEY, next)
  }
}

function isDefault(key: string, written: unknown): boolean {
  const option = findOption(key)
  if (!option) return false
  const standard = option.default === undefined ? '' : parseValue(option, option.default)
  return Bun.deepEquals(parseValue(option, written), standard)
}
