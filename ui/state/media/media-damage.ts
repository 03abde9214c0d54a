/** Why a film or recording does not play: it is damaged, the browser does not know its format, or the server refuses it. */

import { currentToken } from '#ui/api/client/token.ts'
import * as media from '#ui/api/files/media.ts'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import type { AlbumFacts } from '#wire/api/media.ts'
import { extensionOf, type TreePath } from '#wire/paths.ts'

/** Formats whose length the server reads from the file. */
const FORMATS_WITH_LENGTH = new Set('mp4 m4v mov webm mkv mp3 flac wav m4a'.split(' '))

/**
 * `damaged`: the file has no length, such as a film without its index. `unsupported`: it has one, or it is not known.
 * `signedOut`: the session had ended, and the user has signed in again, so that the file may play now.
 */
export type MediaProblem = 'damaged' | 'unsupported' | 'signedOut'

/**
 * Finds out why the browser cannot play a file.
 *
 * @throws Fault unavailable (no connection), notFound, forbidden, tooMany: the server does not send the file
 */
export async function mediaProblemOf(
  { name }: { name: string },
  path: TreePath,
  signal: AbortSignal,
): Promise<MediaProblem> {
  const token = currentToken()
  const facts = await media.read(path, signal)
  return currentToken() === token ? problemOf(name, facts) : 'signedOut'
}

/**
 * Like `mediaProblemOf`, for a file in a share. A picture is never damaged.
 *
 * @throws Fault unauthenticated, and as `mediaProblemOf`
 */
export async function sharedProblemOf(
  share: ShareKey,
  { name }: { name: string },
  path: TreePath,
  signal: AbortSignal,
): Promise<MediaProblem> {
  return problemOf(name, await media.readShared(share, path, signal))
}

function problemOf(name: string, { seconds }: AlbumFacts): MediaProblem {
  const hasLength = FORMATS_WITH_LENGTH.has(extensionOf(name).slice(1).toLowerCase())
  return hasLength && seconds === undefined ? 'damaged' : 'unsupported'
}
