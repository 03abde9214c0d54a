/** Reloads the configuration, and reports which changes need a restart. */
import type { Config } from '#server/config/config.ts'
import type { OptionValue } from '#server/config/values.ts'
import type { Settings } from './settings.ts'

/** Startup options that can change at run time. */
const APPLIED_ON_RELOAD = ['log', 'logFormat']

export interface Reloaded {
  /** Options that have taken effect. */
  changed: string[]
  /** Options that take effect at the next start. */
  later: string[]
}

/**
 * Applies live options whose value in a file, the environment or a flag has changed since the last load. All others
 * keep their present value.
 *
 * @throws Fault badRequest for contradictory settings; nothing is changed then
 */
export async function reload(settings: Settings, before: Config, after: Config): Promise<Reloaded> {
  const differing = [...after.settings.values()].filter(
    ({ option, value }) => !Bun.deepEquals(before.settings.get(option.key)?.value, value),
  )
  const live = differing.flatMap(({ option, value, origin }): [string, OptionValue][] => {
    const isSet = option.isLive && origin !== 'default' && value !== undefined
    return isSet ? [[option.key, value]] : []
  })
  if (live.length > 0) await settings.setOptions(live)
  const startup = differing.filter(({ option }) => !option.isLive)
  const keys = startup.map(({ option }) => option.key)
  return {
    changed: [
      ...live.map(([key]) => key),
      ...keys.filter((key) => APPLIED_ON_RELOAD.includes(key)),
    ],
    later: keys.filter((key) => !APPLIED_ON_RELOAD.includes(key)),
  }
}
