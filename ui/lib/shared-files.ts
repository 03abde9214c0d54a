/**
 * Files that another app has handed over, until the person says where they go. The service worker
 * keeps them, the page takes them; they never leave this device on their own.
 */

/** In the query of the address that the service worker leads to. */
export const SHARED = 'shared'

const NAME = 'X-Name'
const MODIFIED = 'X-Modified'

/** Keeps files; those of before go. `scope` is the address of the app, with a slash at its end. */
export async function keepShared(scope: string, files: readonly File[]): Promise<void> {
  await forgetShared(scope)
  const cache = await caches.open(nameOf(scope))
  for (const [at, file] of files.entries()) {
    const headers = {
      'Content-Type': file.type,
      [NAME]: encodeURIComponent(file.name.toWellFormed()),
      [MODIFIED]: String(file.lastModified),
    }
    await cache.put(`${scope}${SHARED}/${at}`, new Response(file, { headers }))
  }
}

/** The files that wait; none where the browser keeps nothing. */
export async function sharedFiles(scope: string): Promise<File[]> {
  if (!('caches' in globalThis)) return []
  const cache = await caches.open(nameOf(scope))
  const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
  return Promise.all(answers.filter((answer) => answer !== undefined).map(fileOf))
}

export async function forgetShared(scope: string): Promise<void> {
  if ('caches' in globalThis) await caches.delete(nameOf(scope))
}

async function fileOf(answer: Response): Promise<File> {
  const { headers } = answer
  return new File([await answer.blob()], decodeURIComponent(headers.get(NAME) ?? ''), {
    type: headers.get('Content-Type') ?? '',
    lastModified: Number(headers.get(MODIFIED)),
  })
}

/** Instances of one host share what the browser keeps, so each has its own name there. */
function nameOf(scope: string): string {
  return `shared ${scope}`
}
