/** The settings of this server: the public ones, and all of them for administrators. */

import { proxy } from 'valtio'
import * as api from '#ui/api/accounts/settings.ts'
import { changesBetween, refuseConflicts } from '#ui/lib/accounts/changes.ts'
import { assign } from '#ui/lib/assign.ts'
import { pageSettings } from '#ui/lib/page/page.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import {
  isRenderedDocument,
  isSpreadsheet,
  mayHavePicture,
} from '#wire/formats/document-pictures.ts'
import { extensionOf } from '#wire/paths.ts'

export const settings = proxy(pageSettings())

/** @throws Fault forbidden, unavailable */
export function loadGlobalSettings(): Promise<GlobalSettings> {
  return api.read()
}

/**
 * Saves the settings that differ from those before, so that other settings, which another administrator may have
 * changed meanwhile, stay. The public ones take effect on this page at once; the files of `branding.files`, such as a
 * logo and styles, when the page is loaded again.
 *
 * @returns the settings as stored by the server; as they were sent, if they were saved and cannot be read
 * @throws Fault badRequest (settings contradict each other), precondition (another administrator has changed the same
 *   setting)
 */
export async function saveGlobalSettings(
  before: GlobalSettings,
  after: GlobalSettings,
): Promise<GlobalSettings> {
  const changes = changesOf(before, after)
  const stored = await api.read()
  const theirs = changesOf(before, stored)
  refuseConflicts(changes.fields, theirs.fields)
  for (const group of GROUPS) refuseConflicts(changes.groups[group], theirs.groups[group])
  await api.save({ ...changes.fields, ...changes.groups })
  const saved = await api.read().catch(() => withChanges(stored, changes))
  const { branding, tus, signup, hideLoginButton, passwordHelp } = saved
  assign(settings, {
    Name: branding.name || PRODUCT,
    Color: branding.color,
    Theme: branding.theme,
    // Links to the project's website are hidden.
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    Signup: signup,
    HideLoginButton: hideLoginButton,
    PasswordHelp: passwordHelp,
    PasswordLengthMin: saved.minimumPasswordLength,
    TusSettings: tus,
    PublicAddress: saved.publicAddress,
  })
  // Links of this page begin with it.
  pageSettings().PublicAddress = saved.publicAddress
  return saved
}

/** Settings whose fields change one by one (docs/api.md 1.13). */
const GROUPS = ['defaults', 'branding', 'tus'] as const

function changesOf(before: GlobalSettings, after: GlobalSettings) {
  const { defaults, branding, tus, ...fields } = changesBetween(before, after)
  const groups = {
    defaults: changesBetween(before.defaults, after.defaults),
    branding: changesBetween(before.branding, after.branding),
    tus: changesBetween(before.tus, after.tus),
  }
  return { fields, groups }
}

function withChanges(
  settings: GlobalSettings,
  { fields, groups }: ReturnType<typeof changesOf>,
): GlobalSettings {
  const { defaults, branding, tus } = settings
  return {
    ...settings,
    ...fields,
    defaults: { ...defaults, ...groups.defaults },
    branding: { ...branding, ...groups.branding },
    tus: { ...tus, ...groups.tus },
  }
}

/** The name of a server that has no name set. */
export const PRODUCT = 'filemgr'

/** Whether the server makes thumbnails of such files that tell something in every size. */
export function hasThumbnail({
  type,
  name,
  isDir,
}: Pick<Entry, 'type' | 'name' | 'isDir'>): boolean {
  if (!settings.EnableThumbs || (!isDir && isSpreadsheet(name))) return false
  // `.png` is a hidden file: its whole name is what would be the extension, so it tells no type.
  if (!isDir && extensionOf(name) === name) return false
  if (!isDir && mayHavePicture(name)) return true
  if (!isDir && settings.EnableDocumentThumbs && isRenderedDocument(name)) return true
  if (type === 'pdf') return settings.EnablePdfThumbs
  const isMedia = type === 'video' || type === 'audio'
  return type === 'image' || (isMedia && settings.EnableMediaThumbs)
}

/**
 * The preview for the small picture in a row: documents show the whole page, because their upper corner is often empty.
 * If the server makes no previews of other sizes, it would send the document itself.
 */
export function rowThumbnailOf({ type, name }: Pick<Entry, 'type' | 'name'>): 'thumb' | 'small' {
  const isPage = type === 'pdf' || mayHavePicture(name) || isRenderedDocument(name)
  return isPage && settings.ResizePreview ? 'small' : 'thumb'
}

/**
 * Whether the server makes a picture of the first lines or cells of such files: of spreadsheets and of texts, also of
 * those that the user may not change (`textImmutable`). The lines are legible only if it is large.
 */
export function hasTextPicture({
  type,
  name,
  isDir,
}: Pick<Entry, 'type' | 'name' | 'isDir'>): boolean {
  const isText = (type === 'text' || type === 'textImmutable') && !mayHavePicture(name)
  return settings.EnableThumbs && !isDir && (isText || isSpreadsheet(name))
}
