/** The settings of this instance: those anybody may know, and for administrators all of them. */

import { proxy } from 'valtio'
import * as api from '#ui/api/settings.ts'
import { pageSettings } from '#ui/lib/page.ts'
import type { EntryType } from '#wire/entry.ts'
import type { GlobalSettings } from '#wire/settings.ts'

export const settings = proxy(pageSettings())

/** @throws Fault forbidden, unavailable */
export function loadGlobalSettings(): Promise<GlobalSettings> {
  return api.read()
}

/**
 * Saves everything. What this page carries of it follows at once.
 *
 * @returns the settings as the server keeps them
 * @throws Fault badRequest for settings that contradict themselves
 */
export async function saveGlobalSettings(wanted: GlobalSettings): Promise<GlobalSettings> {
  await api.save(wanted)
  const saved = await api.read()
  const { branding, tus, signup, hideLoginButton } = saved
  Object.assign(settings, {
    Name: branding.name || PRODUCT,
    Color: branding.color,
    Theme: branding.theme,
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    Signup: signup,
    HideLoginButton: hideLoginButton,
    TusSettings: tus,
  })
  return saved
}

/** What an instance without a name of its own is called. */
export const PRODUCT = 'filemgr'

/** Whether the server draws small pictures of such files. */
export function isDrawn(type: EntryType): boolean {
  if (!settings.EnableThumbs) return false
  return type === 'image' || (type === 'video' && settings.EnableMediaThumbs)
}
