/** What can be downloaded: one file as it is, several things and folders as an archive. */

import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/download.ts'
import { archiveUrl, leadsSomewhere, rawUrl } from '#ui/lib/links.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/prompts.ts'
import { toastError } from '#ui/state/toasts.ts'
import type { Entry } from '#wire/entry.ts'
import { nameOf } from '#wire/paths.ts'
import { mayWrite } from './open.ts'
import type { Action } from './types.ts'

export const downloadActions = [
  {
    id: 'download',
    label: 'actions.download',
    icon: 'download',
    keys: ['Ctrl+S'],
    when: (context) => mayDownload(context) && !mayWrite(context),
    run: startDownload,
  },
  {
    // Where text is written, Ctrl+S saves it.
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
    when: (context) => mayDownload(context) && isManifold(context),
    run: downloadAs,
  },
] as const satisfies readonly Action[]

export function mayDownload({ page, targets, hasItems, may }: ActionContext): boolean {
  const some = targets.length > 0 ? targets.some(leadsSomewhere) : hasItems
  return page !== 'elsewhere' && may('download') && some
}

/** One file as it is; several things, or a folder, as a ZIP. Nothing selected is the whole folder. */
function startDownload(context: ActionContext): void {
  const { page, path, targets } = context
  const [only] = targets
  if (only && !isManifold(context)) download(rawUrl(page === 'file' ? path : only.path))
  else {
    const count = leftOutOf(context)
    if (count > 0) toastError(t('prompts.download.leftOut', { count, value: formatNumber(count) }))
    download(archiveUrl(path, targets.filter(leadsSomewhere).map(nameOfEntry), 'zip'))
  }
}

/** The same in a format of choice. */
async function downloadAs(context: ActionContext): Promise<void> {
  const { path, targets } = context
  const wanted = targets.filter(leadsSomewhere)
  const format = await ask({
    name: 'download',
    of: wanted[0]?.name ?? (nameOf(path) || t('places.home')),
    count: wanted.length || 'all',
    leftOut: leftOutOf(context),
  })
  if (format) download(archiveUrl(path, wanted.map(nameOfEntry), format))
}

/** Whether it takes an archive to download it: anything but one file. */
function isManifold({ page, targets: [only, ...others] }: ActionContext): boolean {
  return page === 'folder' && (!only || others.length > 0 || only.isDir)
}

/** Links that lead to nothing are left out of archives. */
function leftOutOf({ targets, items }: ActionContext): number {
  const asked = targets.length > 0 ? targets : items
  return asked.filter((entry) => !leadsSomewhere(entry)).length
}

function nameOfEntry({ name }: Entry): string {
  return name
}
