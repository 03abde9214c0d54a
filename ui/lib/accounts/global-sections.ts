/** The sections of the global settings, in their order. Each is a page of its own; the first has the short address. */
import { SETTINGS } from '../page/location.ts'

export const GLOBAL_SECTIONS = [
  { name: 'branding', title: 'settings.branding.title' },
  { name: 'access', title: 'settings.access.title' },
  { name: 'uploads', title: 'settings.uploads.title' },
  { name: 'rules', title: 'settings.rules.title' },
  { name: 'defaults', title: 'settings.global.defaults' },
  { name: 'commands', title: 'settings.runner.title' },
] as const

export type GlobalSection = (typeof GLOBAL_SECTIONS)[number]['name']

const PAGE = `${SETTINGS}/global`

export function globalSectionUrl(section: GlobalSection): string {
  return section === GLOBAL_SECTIONS[0].name ? PAGE : `${PAGE}/${section}`
}

/** @returns the section whose name is in a URL, the first for an empty text; undefined if there is none */
export function findGlobalSection(text: string): GlobalSection | undefined {
  return text === ''
    ? GLOBAL_SECTIONS[0].name
    : GLOBAL_SECTIONS.find(({ name }) => name === text)?.name
}
