/** Subtitles for a browser's player, which understands WebVTT alone. */
import subsrt from 'subsrt-ts'
import type { Scope } from '#server/access/scope.ts'
import { Fault } from '#wire/fault.ts'
import { extensionOf, nameOf, type TreePath } from '#wire/paths.ts'

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
 * @throws Fault badRequest (no subtitles by name), unprocessable (cannot be understood), tooLarge,
 *   notFound, forbidden
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
  try {
    const captions = subsrt
      .parse(plain(text), { format })
      .filter((line) => line.type === 'caption')
      .map((caption, index) => ({ ...caption, index: index + 1 }))
    return subsrt.build(captions, { format: 'vtt', eol: '\n' }).replace(/\r\n/g, '\n')
  } catch (cause) {
    throw new Fault('unprocessable', 'These subtitles cannot be understood.', { cause })
  }
}

/** Without the drawing commands of ASS, which a browser would show as text. */
function plain(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/\{\\[^}]*\}/g, '')
}

function formatOf(name: string): (typeof FORMATS)[number] | undefined {
  const ending = extensionOf(name).slice(1).toLowerCase()
  return FORMATS.find((format) => format === ending)
}
