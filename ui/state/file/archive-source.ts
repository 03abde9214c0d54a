/** An archive whose content is shown: one of the user's own, or one in a share. */
import { list, listShared, read, readShared } from '#ui/api/files/archive-contents.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import { archivePageUrl, sharedArchivePageUrl } from '#ui/lib/urls/archive-urls.ts'
import { archiveFileUrl, rawUrl } from '#ui/lib/urls/content-urls.ts'
import { publicArchiveFileUrl, publicFileUrl, type ShareKey } from '#ui/lib/urls/share-urls.ts'
import type { ArchiveFolder } from '#wire/api/archive-contents.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath, type RequestPath, type TreePath } from '#wire/paths.ts'

export interface ArchiveSource {
  /** Identifies the archive and its version: two archives, or two versions of one, have different keys. */
  key: string
  name: string
  /** The URL of the archive itself, to download. */
  url: string
  /** @throws Fault as `list` and `listShared` of ui/api/files/archive-contents.ts */
  list(inside: TreePath, signal: AbortSignal): Promise<ArchiveFolder>
  /** @throws Fault as `read` and `readShared` of ui/api/files/archive-contents.ts */
  readText(inside: TreePath, signal: AbortSignal): Promise<string>
  /** The URL of a file's content, to download or (`isShown`) to show. */
  fileUrl(inside: TreePath, isShown?: boolean): string
  /** The app's URL of a file or folder in the archive. */
  pageUrl(inside: RequestPath): string
}

/** The properties of an archive that its content depends on. */
type ArchiveEntry = Pick<Entry, 'name' | 'modified' | 'size'>

export function ownArchive(entry: ArchiveEntry & { path: string }): ArchiveSource {
  const path = parsePath(entry.path)
  return {
    key: keyOf(entry, path),
    name: entry.name,
    url: rawUrl(path),
    list: (inside, signal) => list(path, inside, signal),
    readText: async (inside, signal) => decodeText(await read(path, inside, signal)).text,
    fileUrl: (inside, isShown) => archiveFileUrl(path, inside, isShown),
    pageUrl: (inside) => archivePageUrl(path, inside),
  }
}

export function sharedArchive(share: ShareKey, path: TreePath, entry: ArchiveEntry): ArchiveSource {
  return {
    key: keyOf(entry, `${share.hash} ${path}`),
    name: entry.name,
    url: publicFileUrl(share, path),
    list: (inside, signal) => listShared(share, path, inside, signal),
    readText: async (inside, signal) =>
      decodeText(await readShared(share, path, inside, signal)).text,
    fileUrl: (inside, isShown) => publicArchiveFileUrl(share, path, inside, isShown),
    pageUrl: (inside) => sharedArchivePageUrl(share.hash, path, inside),
  }
}

function keyOf({ modified, size }: ArchiveEntry, path: string): string {
  return `${path} ${modified} ${size}`
}
