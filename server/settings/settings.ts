/** Live settings: what administrators change while the server runs. */

import type { Config, Origin } from '#server/config/config.ts'
import type { OptionValue } from '#server/config/values.ts'
import type { SettingRows } from '#server/db/settings.ts'
import { Fault } from '#wire/fault.ts'
import { checkRules } from '#wire/rules.ts'
import type { GlobalSettings } from '#wire/settings.ts'
import type { Rule } from '#wire/user.ts'
import { FACTORY_SETTINGS } from './defaults.ts'
import { normalizeSettings } from './normalize.ts'
import { isTable, withValue } from './with-value.ts'

const KEY = 'global'

export class Settings {
  readonly #rows: SettingRows
  #cached: GlobalSettings
  #seen: number

  /** Reads the stored settings; at the first start they are seeded from `config`. */
  constructor(rows: SettingRows, config: Config) {
    this.#rows = rows
    rows.ensure(KEY, seed(config))
    this.#seen = rows.outsideVersion()
    this.#cached = this.#read()
  }

  /** The settings of this moment, also when a command line has just changed them. */
  get(): GlobalSettings {
    const version = this.#rows.outsideVersion()
    if (version !== this.#seen) {
      this.#seen = version
      this.#cached = this.#read()
    }
    return this.#cached
  }

  /** Stores new settings. They hold from the next request on. */
  put(settings: GlobalSettings): void {
    this.#rows.put(KEY, settings)
    this.#cached = settings
  }

  /** The rules for everybody. @throws Fault badRequest for one that does not compile */
  putRules(rules: Rule[]): void {
    checkRules(rules)
    this.put({ ...this.get(), rules })
  }

  /**
   * Sets options of the table that belong to the settings, all or none. The values are parsed already;
   * `lists` are what the table does not hold.
   *
   * @throws Fault badRequest for settings that contradict themselves
   */
  setOptions(
    options: Iterable<readonly [key: string, value: OptionValue]>,
    lists: Partial<Pick<GlobalSettings, 'rules' | 'commands'>> = {},
  ): void {
    this.put(normalizeSettings(this.#with(options, lists)))
  }

  /** Why `setOptions` would refuse these; nothing where it would not. */
  problemsWith(...change: Parameters<Settings['setOptions']>): string[] {
    try {
      normalizeSettings(this.#with(...change))
      return []
    } catch (error) {
      if (error instanceof Fault) return [error.message]
      throw error
    }
  }

  #with(
    options: Iterable<readonly [key: string, value: OptionValue]>,
    lists: Partial<Pick<GlobalSettings, 'rules' | 'commands'>> = {},
  ): GlobalSettings {
    let next = { ...this.get(), ...lists }
    for (const [key, value] of options) next = withValue(next, key, value)
    return next
  }

  /** What an option of the table is now. */
  getOption(key: string): unknown {
    return key
      .split('.')
      .reduce<unknown>((at, name) => (isTable(at) ? at[name] : undefined), this.get())
  }

  #read(): GlobalSettings {
    // Written by `put` alone; what an older version did not know yet comes from the factory.
    const stored = this.#rows.find(KEY) as Partial<GlobalSettings>
    return { ...FACTORY_SETTINGS, ...stored }
  }
}

/** Factory settings with what the operator said about live options in a file, environment or flag. */
function seed(config: Config): GlobalSettings {
  let settings = FACTORY_SETTINGS
  const explicit: Origin[] = ['file', 'environment', 'flag']
  for (const { option, value, origin } of config.settings.values()) {
    if (option.owner !== 'live' || value === undefined || !explicit.includes(origin)) continue
    settings = withValue(settings, option.key, value)
  }
  return settings
}
