/** The default settings. */
import { LIVE_OPTIONS } from '#server/config/live-options.ts'
import { parseValue } from '#server/config/values.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { withValue } from './with-value.ts'

/** The settings that are not in the table of options. */
const LISTS = { rules: [], commands: {} }

/** Every live option with its default; a test verifies that none is missing (test/server/settings/). */
export const DEFAULT_SETTINGS = LIVE_OPTIONS.reduce(
  (settings, option) => withValue(settings, option.key, parseValue(option, option.default)),
  LISTS as unknown as GlobalSettings,
)
