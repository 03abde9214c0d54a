/** Live settings, which administrators change while the server runs. */

import type { Config, OptionOrigin } from '#server/config/config.ts'
import type { OptionValue } from '#server/config/values.ts'
import type { SettingRows } from '#server/db/rows/settings.ts'
import type { HookName } from '#wire/api/events.ts'
import { checkRules } from '#wire/api/rules.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import type { Rule } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { DEFAULT_SETTINGS } from './defaults.ts'
import { normalizeSettings } from './normalize.ts'
import { isRecord, withValue } from './with-value.ts'

/** The key of the settings in their table. */
const KEY = 'global'

export class Settings {
  readonly #rows: SettingRows
  #cached: GlobalSettings
  /** `outsideVersion` of the rows when `#cached` was read. */
  #seenVersion: string
  /** How often this process has changed the settings. */
  #changes = 0
  /** The number of calls of `refresh`, and the last of them that has set `#cached`. */
  #refreshes = { begun: 0, last: 0 }

  private constructor(rows: SettingRows, seenVersion: string, stored: GlobalSettings) {
    this.#rows = rows
    this.#seenVersion = seenVersion
    this.#cached = stored
  }

  /**
   * Reads the stored settings. At the first start they are created from `config`.
   *
   * @throws Fault badRequest if the settings of the first start are contradictory
   */
  static async open(rows: SettingRows, config: Config): Promise<Settings> {
    if ((await rows.find(KEY)) === undefined) await rows.ensure(KEY, firstSettings(config))
    const version = await rows.outsideVersion()
    return new Settings(rows, version, await readSettings(rows))
  }

  /** The settings as of the last `refresh`, or as this process has changed them since. */
  get(): GlobalSettings {
    return this.#cached
  }

  /** Reads the settings again if another process has written to the database. Each request begins with this. */
  async refresh(): Promise<void> {
    this.#refreshes.begun += 1
    const number = this.#refreshes.begun
    const version = await this.#rows.outsideVersion()
    if (version === this.#seenVersion) return
    const changes = this.#changes
    const stored = await readSettings(this.#rows)
    // What this process has stored since, or a later call has read, is newer.
    if (changes !== this.#changes || number < this.#refreshes.last) return
    this.#refreshes.last = number
    this.#cached = stored
    this.#seenVersion = version
  }

  /** Replaces the stored settings without reading them. They apply from the next request on. */
  async put(settings: GlobalSettings): Promise<void> {
    await this.#rows.put(KEY, settings)
    this.#changed(settings)
  }

  /**
   * Replaces the stored settings by the result of `next`, in one transaction: a change that another process has stored
   * before is not lost.
   *
   * @param next gets the stored settings; if it throws, nothing is changed
   */
  async change(next: (current: GlobalSettings) => GlobalSettings): Promise<void> {
    const changed = await this.#rows.atomically(async () => {
      const settings = next(await readSettings(this.#rows))
      await this.#rows.put(KEY, settings)
      return settings
    })
    this.#changed(changed)
  }

  #changed(settings: GlobalSettings): void {
    this.#changes += 1
    this.#cached = settings
  }

  /**
   * Changes the global rules, as `change`.
   *
   * @throws Fault badRequest for too many rules, or one that does not compile
   */
  async changeRules(next: (rules: Rule[]) => Rule[]): Promise<void> {
    await this.change((current) => {
      const rules = next(current.rules)
      checkRules(rules)
      return { ...current, rules }
    })
  }

  /**
   * Changes the commands of one event, as `change`.
   *
   * @throws Fault badRequest for contradictory settings
   */
  async changeCommands(hook: HookName, next: (lines: string[]) => string[]): Promise<void> {
    await this.change((current) => {
      const commands = { ...current.commands, [hook]: next(current.commands[hook] ?? []) }
      return normalizeSettings({ ...current, commands })
    })
  }

  /**
   * Sets several live options, as `change`: all of them or none.
   *
   * @param lists settings that are not in the table of options
   * @throws Fault badRequest for contradictory settings
   */
  async setOptions(
    options: Iterable<readonly [key: string, value: OptionValue]>,
    lists: Partial<Pick<GlobalSettings, 'rules' | 'commands'>> = {},
  ): Promise<void> {
    // The change may run again, and an iterator would have nothing left then.
    const all = [...options]
    await this.change((current) => normalizeSettings(withChanges(current, all, lists)))
  }

  /** The reasons why `setOptions` would refuse; empty if it would not. */
  findProblems(...change: Parameters<Settings['setOptions']>): string[] {
    try {
      normalizeSettings(withChanges(this.get(), ...change))
      return []
    } catch (error) {
      if (error instanceof Fault) return [error.message]
      throw error
    }
  }

  /** The present value of an option. */
  getOption(key: string): unknown {
    return key
      .split('.')
      .reduce<unknown>((table, name) => (isRecord(table) ? table[name] : undefined), this.get())
  }
}

async function readSettings(rows: SettingRows): Promise<GlobalSettings> {
  // Written only by `put`; fields of newer versions get the default.
  const stored = (await rows.find(KEY)) as Partial<GlobalSettings>
  return { ...DEFAULT_SETTINGS, ...stored }
}

/**
 * @returns the defaults, with the values of live options that a file, the environment or flags set
 * @throws Fault badRequest for contradictory settings
 */
export function firstSettings(config: Config): GlobalSettings {
  let settings = DEFAULT_SETTINGS
  const explicit: OptionOrigin[] = ['file', 'environment', 'flag']
  for (const { option, value, origin } of config.settings.values()) {
    if (!option.isLive || value === undefined || !explicit.includes(origin)) continue
    settings = withValue(settings, option.key, value)
  }
  return normalizeSettings(settings)
}

function withChanges(
  settings: GlobalSettings,
  options: Iterable<readonly [key: string, value: OptionValue]>,
  lists: Partial<Pick<GlobalSettings, 'rules' | 'commands'>> = {},
): GlobalSettings {
  let next = { ...settings, ...lists }
  for (const [key, value] of options) next = withValue(next, key, value)
  return next
}
