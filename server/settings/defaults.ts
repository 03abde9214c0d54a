/** Factory settings: what holds before anybody chose anything. */
import { LIVE_OPTIONS } from '#server/config/live-options.ts'
import { parseValue } from '#server/config/values.ts'
import type { GlobalSettings } from '#wire/settings.ts'
import { withValue } from './with-value.ts'

/** What the table of options does not hold. */
const LISTS = { rules: [], commands: {} }

/** Each live option as its row has it; a test asks whether that is all (test/server/settings/). */
export const FACTORY_SETTINGS = LIVE_OPTIONS.reduce(
  (settings, option) => withValue(settings, option.key, parseValue(option, option.default)),
  LISTS as unknown as GlobalSettings,
)
