/**
 * The English messages of the settings pages and of the activity. The first page loads without them, to be small: `ui/vite.config.ts` leaves
 * them out of en.json. A file that uses them, and is loaded without a settings page, imports this one.
 */
/// <reference path="./messages.d.ts" />
import { i18next } from './i18n.ts'
import { FALLBACK_LANGUAGE } from './languages.ts'
import { activity, settings } from './messages/en.json?settings'

i18next.addResourceBundle(FALLBACK_LANGUAGE, 'translation', { settings, activity }, true, true)
