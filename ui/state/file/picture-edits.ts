/** Saves rotations and crops of pictures on the server. */
import { crop, rotate } from '#ui/api/files/media.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import type { PictureArea } from '#wire/api/media.ts'
import { extensionOf, parsePath, type TreePath } from '#wire/paths.ts'
import { groupChanges, reportChanges } from '../changes/undo.ts'
import { reloadListing } from '../folder/listing.ts'
import { toastError } from '../messages/toasts.ts'

/** The formats that the server writes (docs/api.md 34), and whether a picture that is encoded again never loses quality. */
const IS_LOSSLESS: Record<string, boolean> = {
  '.jpg': false,
  '.jpeg': false,
  '.jfif': false,
  '.png': true,
  '.webp': false,
}

/** @returns whether a crop of the file loses no quality; undefined if the server does not change files of its format */
export function savesWithoutLoss({ name }: Pick<FileEntry, 'name'>): boolean | undefined {
  return IS_LOSSLESS[extensionOf(name).toLowerCase()]
}

/** As `savesWithoutLoss`, of a rotation: that of a JPEG is a part of its metadata. */
export function rotatesWithoutLoss(file: Pick<FileEntry, 'name'>): boolean | undefined {
  const isLossless = savesWithoutLoss(file)
  return isLossless === undefined ? undefined : isLossless || !/\.webp$/i.test(file.name)
}

/** Rotates a picture on the server, and shows it again. A failure becomes a message. */
export function saveRotation(file: FileEntry, degrees: number): Promise<void> {
  return save(file, (path, record) => rotate(path, degrees, record))
}

/** Keeps a part of a picture on the server, and shows it. A failure becomes a message. */
export function saveCrop(file: FileEntry, area: PictureArea): Promise<void> {
  return save(file, (path, record) => crop(path, area, record))
}

async function save(
  file: FileEntry,
  change: (path: TreePath, record: (entry: number) => void) => Promise<void>,
): Promise<void> {
  const path = parsePath(file.path)
  try {
    const changes = await groupChanges((record) => change(path, record))
    reportChanges(t('toasts.saved', { name: file.name }), changes)
    await reloadListing()
  } catch (error) {
    toastError(error)
  }
}
