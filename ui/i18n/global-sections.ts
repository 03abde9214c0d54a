/** The titles of the sections of the global settings. */
import type { GlobalSection } from '#ui/lib/accounts/global-sections.ts'
import { t } from './i18n.ts'

/** @returns the title of a section, as its page and the finder name it */
export function globalSectionTitle(section: GlobalSection): string {
  return t(TITLES[section])
}

const TITLES = {
  branding: 'settings.branding.title',
  access: 'settings.access.title',
  login: 'settings.identity.title',
  uploads: 'settings.uploads.title',
  rules: 'settings.rules.title',
  defaults: 'settings.global.defaults',
  commands: 'settings.runner.title',
} as const satisfies Record<GlobalSection, string>
