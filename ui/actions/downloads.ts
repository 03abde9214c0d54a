/** Downloads: one file unchanged, several entries and folders as an archive. */

import * as api from '#ui/api/files/resources.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/page/download.ts'
import { archiveUrl, hasContent } from '#ui/lib/urls/content-urls.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import { nameOf, relativePath } from '#wire/paths.ts'
import { mayWrite } from './open.ts'
import type { Action } from './types.ts'

export const downloadActions = [
  {
    id: 'download',
    label: 'actions.download',
    icon: 'download',
    keys: ['Ctrl+S'],
    onFocused: true,
    when: (context) => mayDownload(context) && !mayWrite(context),
    run: startDownload,
  },
  {
    // In the text editor Ctrl+S saves.
    id: 'downloadText',
    label: 'actions.download',
    icon: 'download',
    when: (context) => mayDownload(context) && mayWrite(context),
    run: startDownload,
  },
  {
    id: 'downloadAs',
    label: 'actions.downloadAs',
    icon: 'file-down',
    when: (context) => mayDownload(context) && isArchived(context),
    run: downloadAs,
  },
] as const satisfies readonly Action[]

export function mayDownload({ page, targets, hasItems, may }: ActionContext): boolean {
  const isAnyReadable = targets.length > 0 ? targets.some(hasContent) : hasItems
  return page !== 'elsewhere' && may('download') && isAnyReadable
}

/**
 * Downloads one file unchanged; several entries, or a folder, as ZIP. Without a selection it downloads the whole
 * folder.
 */
async function startDownload(context: ActionContext): Promise<void> {
  const [only] = context.targets
  if (only && !isArchived(context)) download(context.urls.content(only.path))
  else {
    // The server reports those in folders.
    const count = context.targets.filter((entry) => !hasContent(entry)).length
    if (count > 0) toastError(t('prompts.download.leftOut', { count, value: formatNumber(count) }))
    await downloadArchive(context, 'zip')
  }
}

/** Downloads in a format that the user chooses. */
async function downloadAs(context: ActionContext): Promise<void> {
  const { path, targets } = context
  const entries = targets.filter(hasContent)
  const format = await ask({
    name: 'download',
    entryName: entries[0]?.name ?? (nameOf(path) || t('places.home')),
    count: entries.length || 'all',
    leftOut: countBrokenLinks(context),
  })
  if (format) await downloadArchive(context, format)
}

/**
 * Downloads the targets as one archive.
 *
 * @throws Fault if the server refuses it: the browser would only list a download that failed
 */
async function downloadArchive(context: ActionContext, format: ArchiveFormatName): Promise<void> {
  const names = namesOf(context)
  await api.requireArchive(context.path, names)
  download(archiveUrl(context.path, names, format))
}

/** Whether the download is an archive. Only a single file is downloaded as it is. */
function isArchived({ targets: [only, ...others] }: ActionContext): boolean {
  return !only || others.length > 0 || only.isDir
}

/** The number of broken symlinks, which archives leave out. */
function countBrokenLinks({ targets, items }: ActionContext): number {
  const entries = targets.length > 0 ? targets : items
  return entries.filter((entry) => !hasContent(entry)).length
}

/**
 * @returns the paths of the chosen entries below the folder of the page: results of a search may be in subfolders; none
 *   for the whole folder, which Quick Look also shows
 */
function namesOf({ path: folder, targets }: ActionContext): string[] {
  const [only] = targets
  if (only?.path === folder) return []
  return targets.filter(hasContent).map(({ path }) => relativePath(path, folder).slice(1))
}
