/** Metadata of pictures and films. */
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import type {
  AlbumFacts,
  FilmSubtitle,
  FolderMedia,
  MediaFacts,
  PictureArea,
} from '#wire/api/media.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { ROOT, type TreePath, toUrlPath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * @returns the metadata of one file
 * @throws Fault notFound, forbidden
 */
export function read(path: TreePath, signal?: AbortSignal): Promise<MediaFacts> {
  return requestJson<MediaFacts>(API.media + toUrlPath(path), { signal })
}

/**
 * @returns the subtitles inside of a film
 * @throws Fault notFound, forbidden, unavailable
 */
export async function readFilmSubtitles(
  path: TreePath,
  signal?: AbortSignal,
): Promise<FilmSubtitle[]> {
  const url = API.filmSubtitles + toUrlPath(path)
  return (await requestJson<{ items: FilmSubtitle[] }>(url, { signal })).items
}

/** As `readFilmSubtitles`, of a film in a share. @throws Fault unauthenticated, notFound, forbidden, unavailable */
export async function readSharedFilmSubtitles(
  { hash, token }: ShareKey,
  path: TreePath,
  signal?: AbortSignal,
): Promise<FilmSubtitle[]> {
  const subpath = path === ROOT ? '' : toUrlPath(path)
  const base = `${API.publicFilmSubtitles}/${encodeURIComponent(hash)}${subpath}`
  const url = base + queryString({ token })
  return (await requestJson<{ items: FilmSubtitle[] }>(url, { signal, anonymous: true })).items
}

/**
 * Rotates a picture on the server.
 *
 * @param degrees clockwise: 90, 180 or 270
 * @throws Fault notFound, forbidden, unsupported (another format), unprocessable (damaged)
 */
export async function rotate(
  path: TreePath,
  degrees: number,
  onJournalEntry?: (entry: number) => void,
): Promise<void> {
  const url = API.rotation + toUrlPath(path) + queryString({ degrees })
  await request(url, { method: 'POST', onJournalEntry })
}

/**
 * Keeps a part of a picture on the server.
 *
 * @throws Fault as `rotate`, badRequest (the part is not in the picture)
 */
export async function crop(
  path: TreePath,
  { left, top, width, height }: PictureArea,
  onJournalEntry?: (entry: number) => void,
): Promise<void> {
  const url = API.crop + toUrlPath(path) + queryString({ left, top, width, height })
  await request(url, { method: 'POST', onJournalEntry })
}

/**
 * @returns one page of metadata of a folder, beginning with the picture or film at index `from`
 * @throws Fault notFound, forbidden
 */
export function readFolder(
  path: TreePath,
  from: number,
  signal?: AbortSignal,
): Promise<FolderMedia> {
  return requestJson<FolderMedia>(API.media + toUrlPath(path, true) + queryString({ from }), {
    signal,
  })
}

/**
 * @returns one page of metadata of a folder in a share, beginning with the picture or film at index `from`
 * @throws Fault unauthenticated, notFound, forbidden
 */
export function readSharedFolder(
  hash: string,
  path: TreePath,
  options: { token?: string | undefined; from: number },
  signal?: AbortSignal,
): Promise<FolderMedia> {
  const url = `${API.publicMedia}/${encodeURIComponent(hash)}${toUrlPath(path, true)}`
  return requestJson<FolderMedia>(url + queryString(options), { signal, anonymous: true })
}

/**
 * @returns the metadata of one file in a share
 * @throws Fault unauthenticated, notFound, forbidden
 */
export function readShared(
  { hash, token }: ShareKey,
  path: TreePath,
  signal?: AbortSignal,
): Promise<AlbumFacts> {
  const subpath = path === ROOT ? '' : toUrlPath(path)
  const url = `${API.publicMedia}/${encodeURIComponent(hash)}${subpath}${queryString({ token })}`
  return requestJson<AlbumFacts>(url, { signal, anonymous: true })
}
