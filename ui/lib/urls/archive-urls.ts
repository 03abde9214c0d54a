/** URLs of folders and files in an archive: `?inside=/docs/` is a folder, `?inside=/docs/a.txt` a file. */

import { queryString } from '#wire/api/routes.ts'
import { parseRequestPath, type RequestPath, ROOT, type TreePath } from '#wire/paths.ts'
import { filesUrl } from '../page/location.ts'
import { sharePageUrl } from './share-urls.ts'

const INSIDE = 'inside'

/** The app's URL of a folder or file in an archive. */
export function archivePageUrl(archive: TreePath, inside: RequestPath): string {
  return filesUrl(archive, false) + insideQuery(inside)
}

/** The app's URL of a folder or file in an archive of a share. */
export function sharedArchivePageUrl(hash: string, archive: TreePath, inside: RequestPath): string {
  return sharePageUrl(hash, archive) + insideQuery(inside)
}

/** @returns the path in the archive that the query names; the root of the archive if there is no valid one */
export function insideOf(search: string): RequestPath {
  const text = new URLSearchParams(search).get(INSIDE) || '/'
  try {
    return parseRequestPath(text)
  } catch {
    return { path: ROOT, asFolder: true }
  }
}

/** The query of a folder or file in an archive. */
export function insideQuery({ path, asFolder }: RequestPath): string {
  if (path === '/') return ''
  return queryString({ [INSIDE]: asFolder ? `${path}/` : path })
}
