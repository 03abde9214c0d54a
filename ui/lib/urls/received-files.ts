/**
 * Files received from another app, in which the user chose filemgr as the target of a share. The service worker stores
 * them in a cache, and the page reads them from there. They are uploaded only after the user has chosen a folder.
 */
import { RECEIVED } from './share-target.ts'

const NAME = 'X-Name'
const MODIFIED = 'X-Modified'

/**
 * Stores files and deletes earlier ones.
 *
 * @param scope the URL of the app, with a slash at its end
 */
export async function storeReceivedFiles(scope: string, files: readonly File[]): Promise<void> {
  await deleteReceivedFiles(scope)
  const cache = await caches.open(nameOf(scope))
  for (const [index, file] of files.entries()) {
    const headers = {
      'Content-Type': file.type,
      [NAME]: encodeURIComponent(file.name.toWellFormed()),
      [MODIFIED]: String(file.lastModified),
    }
    await cache.put(`${scope}${RECEIVED}/${index}`, new Response(file, { headers }))
  }
}

/** @returns the stored files; none if the browser refuses storage */
export async function receivedFiles(scope: string): Promise<File[]> {
  if (!('caches' in globalThis)) return []
  const cache = await caches.open(nameOf(scope))
  const responses = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
  return Promise.all(responses.filter((response) => response !== undefined).map(fileOf))
}

export async function deleteReceivedFiles(scope: string): Promise<void> {
  if ('caches' in globalThis) await caches.delete(nameOf(scope))
}

async function fileOf(response: Response): Promise<File> {
  const { headers } = response
  return new File([await response.blob()], decodeURIComponent(headers.get(NAME) ?? ''), {
    type: headers.get('Content-Type') ?? '',
    lastModified: Number(headers.get(MODIFIED)),
  })
}

/** Instances on one host share the browser's cache storage, so each has its own cache name. */
function nameOf(scope: string): string {
  return `shared ${scope}`
}
