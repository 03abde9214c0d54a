/** Subtitles for the browser's player, which supports only WebVTT. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { decoderOf, detectEncoding } from '#wire/guess-encoding.ts'
import { extensionOf, nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { fromSubRip, fromSubStation } from './web-vtt.ts'

const FORMATS = ['vtt', 'srt', 'ass', 'ssa'] as const
/** Limits for one video, and for all videos of one folder. */
const SUBTITLES_MAX = 32
const FOLDER_SUBTITLES_MAX = 1000
/** Far more than the subtitles of the longest film. */
const SUBTITLE_MAX_BYTES = 4 * 2 ** 20

/** Whether the name has an extension of subtitles. */
function isSubtitle(name: string): boolean {
  return formatOf(name) !== undefined
}

/** The subtitles of a folder's videos that the user may see. */
export interface FolderSubtitles {
  /** The paths of a video's subtitles, the first 32 in order (docs/api.md 8.6). */
  of(video: TreePath): string[]
}

const SUBTITLE_FOLDERS = ['subs', 'subtitles']

/**
 * Reads the subfolders `subs` or `subtitles`.
 *
 * @param nodes of the folder of the videos
 * @throws Fault notFound, forbidden
 */
export async function subtitlesAmong(
  scope: Scope,
  nodes: Iterable<Node>,
): Promise<FolderSubtitles> {
  // Beside the videos, in the subtitle folder, and in a folder of it that has the name of a video.
  const siblings: TreePath[] = []
  const forAllVideos: TreePath[] = []
  const forOneVideo: TreePath[] = []
  const isFull = () =>
    siblings.length + forAllVideos.length + forOneVideo.length >= FOLDER_SUBTITLES_MAX
  for (const node of nodes) {
    if (isFull()) break
    const name = nameOf(node.path)
    if (node.kind === 'file' && isSubtitle(name)) siblings.push(node.path)
    if (node.kind !== 'folder' || !SUBTITLE_FOLDERS.includes(name.toLowerCase())) continue
    for (const inner of await scope.list(node.path)) {
      if (isFull()) break
      if (inner.kind === 'file' && isSubtitle(nameOf(inner.path))) forAllVideos.push(inner.path)
      if (inner.kind === 'folder') forOneVideo.push(...(await subtitlesBelow(scope, inner.path)))
    }
  }
  return {
    of(video) {
      const name = nameOf(video)
      const base = name.slice(0, name.length - extensionOf(name).length)
      const ofVideo = [
        ...siblings.filter((path) => isNameOf(base, nameOf(path))),
        ...forOneVideo.filter((path) => isNameOf(base, nameOf(parentPath(path)))),
      ]
      return [...ofVideo, ...forAllVideos].sort().slice(0, SUBTITLES_MAX)
    },
  }
}

/** Whether a name is that of the video `base`: of `Show E1` it may continue with `.de.srt`, and not with `0.srt`. */
function isNameOf(base: string, name: string): boolean {
  return name.startsWith(base) && !CONTINUES_WORD.test(name.slice(base.length))
}

const CONTINUES_WORD = /^[\p{L}\p{N}\p{M}]/u

/** The subtitle files in a folder. */
async function subtitlesBelow(scope: Scope, folder: TreePath): Promise<TreePath[]> {
  const subtitles: TreePath[] = []
  for (const { kind, path } of await scope.list(folder)) {
    if (subtitles.length >= SUBTITLES_MAX) break
    if (kind === 'file' && isSubtitle(nameOf(path))) subtitles.push(path)
  }
  return subtitles
}

/**
 * @param encoding a label of the Encoding standard; without it, the encoding is detected
 * @returns a subtitle file as WebVTT
 * @throws Fault badRequest (not a subtitle file by name, or an unknown encoding), tooLarge, notFound, forbidden
 */
export async function webVtt(scope: Scope, path: TreePath, encoding?: string): Promise<string> {
  const format = formatOf(nameOf(path))
  const node = await scope.stat(path)
  if (!format || node.kind !== 'file') throw new Fault('badRequest', 'This is not a subtitle file.')
  if (node.sizeBytes > SUBTITLE_MAX_BYTES)
    throw new Fault('tooLarge', 'This subtitle file is too large.')
  const { bytes } = await scope.read(path)
  const content = await new Response(bytes).bytes()
  // Old subtitles are not UTF-8.
  const text = decoderFor(encoding ?? detectEncoding(content, []).encoding).decode(content)
  if (format === 'vtt') return text
  if (format === 'srt') return fromSubRip(text)
  return fromSubStation(text)
}

/** @throws Fault badRequest */
function decoderFor(encoding: string): TextDecoder {
  try {
    return decoderOf(encoding)
  } catch {
    throw new Fault('badRequest', 'This encoding is unknown.')
  }
}

function formatOf(name: string): (typeof FORMATS)[number] | undefined {
  const ending = extensionOf(name).slice(1).toLowerCase()
  return FORMATS.find((format) => format === ending)
}
