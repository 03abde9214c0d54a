/** Saves the rotation of pictures on the server. */
import { rotate } from '#ui/api/files/media.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { extensionOf, parsePath } from '#wire/paths.ts'
import { groupChanges, reportChanges } from '../changes/undo.ts'
import { reloadListing } from '../folder/listing.ts'
import { toastError } from '../messages/toasts.ts'

/** The formats that the server rotates (docs/api.md 34), and whether it always does so without loss. */
const IS_LOSSLESS: Record<string, boolean> = {
  '.jpg': true,
  '.jpeg': true,
  '.jfif': true,
  '.png': true,
  '.webp': false,
}

/** @returns whether a rotation of the file loses no quality; undefined if the server does not rotate it */
export function rotatesWithoutLoss({ name }: Pick<FileEntry, 'name'>): boolean | undefined {
  return IS_LOSSLESS[extensionOf(name).toLowerCase()]
}

/** Rotates a picture on the server, and shows it again. A failure becomes a message. */
export async function saveRotation(file: FileEntry, degrees: number): Promise<void> {
  const path = parsePath(file.path)
  try {
    const changes = await groupChanges((record) => rotate(path, degrees, record))
    reportChanges(t('toasts.saved', { name: file.name }), changes)
    await reloadListing()
  } catch (error) {
    toastError(error)
  }
}
