import { download } from '#ui/lib/page/download.ts'
import { publicArchiveUrl, type ShareKey } from '#ui/lib/urls/share-urls.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'

interface SharedFolder {
  folder: TreePath
  name: string
  /** Entries of the folder; without them the whole folder is downloaded. */
  entries?: readonly Entry[]
}

/** Asks for a format, and downloads entries of a shared folder as one archive. */
export async function downloadShared(
  share: ShareKey,
  { folder, name, entries }: SharedFolder,
): Promise<void> {
  const entryName = entries?.[0]?.name ?? name
  const format = await ask({ name: 'download', entryName, count: entries?.length ?? 'all' })
  const names = entries?.map((entry) => entry.name) ?? []
  if (format) download(publicArchiveUrl(share, folder, names, format))
}
