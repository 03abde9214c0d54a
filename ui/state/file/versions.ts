/** Earlier versions of a file: listing, comparing with the file, and restoring. */
import * as resources from '#ui/api/files/resources.ts'
import * as api from '#ui/api/files/versions.ts'
import { formatMoment } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { download } from '#ui/lib/page/download.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { parsePath } from '#wire/paths.ts'
import { permits } from '#wire/permissions.ts'
import { groupChanges, reportChanges } from '../changes/undo.ts'
import { ask } from '../dialogs/prompts.ts'
import { reloadListing } from '../folder/listing.ts'
import { toastError } from '../messages/toasts.ts'
import { session } from '../session/session.ts'
import { settings } from '../session/settings.ts'

/** The functions for the details panel. An undefined function is not available to this user or for this file. */
interface FileVersions {
  /** Whether the version and the file are texts that are small enough to be compared. */
  mayCompare(version: TrashItemInfo): boolean
  /**
   * Newest first.
   *
   * @throws Fault notFound, forbidden
   */
  list(signal: AbortSignal): Promise<TrashItemInfo[]>
  onCompare(version: TrashItemInfo): Promise<void>
  onDownload: ((version: TrashItemInfo) => void) | undefined
  onRestore: ((version: TrashItemInfo) => Promise<void>) | undefined
}

/** @returns functions for the earlier versions of an entry; undefined if it cannot have versions, such as a folder */
export function versionsOf(entry: Entry): FileVersions | undefined {
  if (entry.isDir || !hasContent(entry)) return undefined
  const file = parsePath(entry.path)
  const rights = rightsTo(entry)
  return {
    list: (signal) => api.list(file, signal),
    mayCompare: ({ size }) => rights.compare && size <= ON_DEMAND_LIMITS.compareMaxBytes,
    onCompare: (version) => compareVersion(entry, version),
    onDownload: rights.download ? ({ id }) => download(withBase(api.urlOf(file, id))) : undefined,
    onRestore: rights.restore ? (version) => restoreVersion(entry, version) : undefined,
  }
}

function rightsTo(entry: Entry): Record<'compare' | 'download' | 'restore', boolean> {
  const perm = session.user?.perm
  const may = (action: 'download' | 'modify') => perm !== undefined && permits(perm, action)
  const isText = entry.type === 'text' || entry.type === 'textImmutable'
  return {
    compare: isText && entry.size <= ON_DEMAND_LIMITS.compareMaxBytes && may('download'),
    download: may('download'),
    restore: may('modify') && !settings.ReadOnly,
  }
}

/** Shows a version beside the current content; the dialog can restore it. Failures become messages. */
async function compareVersion(entry: Entry, version: TrashItemInfo): Promise<void> {
  const file = parsePath(entry.path)
  try {
    const [earlier, current] = await Promise.all([
      api.readBytes(file, version.id),
      resources.readBytes(file).then(({ bytes }) => bytes),
    ])
    const answer = await ask({
      name: 'compareVersion',
      file,
      when: whenOf(version),
      earlier: decodeText(earlier).text,
      current: decodeText(current).text,
      mayRestore: rightsTo(entry).restore,
    })
    if (answer === 'restore') await restoreVersion(entry, version)
  } catch (error) {
    toastError(error, entry.name)
  }
}

/** Restores a version. The replaced content becomes a version. Failures become messages. */
async function restoreVersion(entry: Entry, version: TrashItemInfo): Promise<void> {
  try {
    const changes = await groupChanges((record) =>
      api.restore(parsePath(entry.path), version.id, record),
    )
    const text = t('toasts.versionRestored', { name: entry.name, when: whenOf(version) })
    reportChanges(text, changes)
  } catch (error) {
    toastError(error, entry.name)
  }
  await reloadListing()
}

function whenOf({ modified }: TrashItemInfo): string {
  return formatMoment(new Date(modified))
}
