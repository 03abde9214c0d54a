/** Subtitles for a browser's player, which understands WebVTT alone. */
import type { Scope } from '#server/access/scope.ts'
import { Fault } from '#wire/fault.ts'
import { extensionOf, nameOf, type TreePath } from '#wire/paths.ts'
import { fromSubRip, fromSubStation } from './web-vtt.ts'

const FORMATS = ['vtt', 'srt', 'ass', 'ssa'] as const
/** The longest film has far less to say. */
const SUBTITLE_MAX_BYTES = 4 * 2 ** 20

/** Whether a name is that of subtitles. */
export function isSubtitle(name: string): boolean {
  return formatOf(name) !== undefined
}

/**
 * A subtitle file as WebVTT.
 *
 * @throws Fault badRequest (no subtitles by name), tooLarge, notFound, forbidden
 */
export async function webVtt(scope: Scope, path: TreePath): Promise<string> {
  const format = formatOf(nameOf(path))
  const node = await scope.stat(path)
  if (!format || node.kind !== 'file') throw new Fault('badRequest', 'this is no subtitle file')
  if (node.sizeBytes > SUBTITLE_MAX_BYTES)
    throw new Fault('tooLarge', 'This subtitle file is too large.')
  const { bytes } = await scope.read(path)
  const text = await new Response(bytes).text()
  if (format === 'vtt') return text
  if (format === 'srt') return fromSubRip(text)
  return fromSubStation(text)
}

function formatOf(name: string): (typeof FORMATS)[number] | undefined {
  const ending = extensionOf(name).slice(1).toLowerCase()
  return FORMATS.find((format) => format === ending)
}
