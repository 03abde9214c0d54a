/** The sections of the global settings, in their order. Each is a page of its own; the first has the short address. */
import { SETTINGS } from '../page/location.ts'

export const GLOBAL_SECTIONS = [
  'branding',
  'access',
  'login',
  'uploads',
  'rules',
  'defaults',
  'commands',
] as const

export type GlobalSection = (typeof GLOBAL_SECTIONS)[number]

const PAGE = `${SETTINGS}/global`

export function globalSectionUrl(section: GlobalSection): string {
  return section === GLOBAL_SECTIONS[0] ? PAGE : `${PAGE}/${section}`
}

/** @returns the section whose name is in a URL, the first for an empty text; undefined if there is none */
export function findGlobalSection(text: string): GlobalSection | undefined {
  return text === '' ? GLOBAL_SECTIONS[0] : GLOBAL_SECTIONS.find((section) => section === text)
}
