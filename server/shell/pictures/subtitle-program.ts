/** Lists and converts the subtitles inside of films by isolated programs of ffmpeg, if they are installed. */
import { z } from 'zod'
import { Limiter } from '#server/limits/limiter.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import { PROGRAM_PATH } from '../isolation/policy.ts'
import type { Shell } from '../shell.ts'
import { PICTURE_LIMITS, PictureProgram } from './picture-program.ts'

/** The subtitles are spread over the whole film, which is read for them. */
export const SUBTITLE_LIMITS = { ...PICTURE_LIMITS, timeMs: 120_000, outputBytes: 4 * 2 ** 20 }
const QUEUE = {
  what: 'films whose subtitles are being read',
  all: 2,
  waiting: 32,
  message: 'Too many films are being read for their subtitles. Try again in a moment.',
  retryAfterSec: 10,
}

/** Containers with their own data; others, such as playlists, refer to other files. */
const OPTIONS = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'mov,matroska']
/** Subtitles of text. Those of discs are pictures. */
const TEXT_CODECS: ReadonlySet<string> = new Set([
  'subrip',
  'srt',
  'ass',
  'ssa',
  'webvtt',
  'mov_text',
  'text',
])

const streamsShape = z.object({
  streams: z.array(
    z.object({
      index: z.number().int(),
      codec_name: z.string().optional(),
      tags: z.object({ language: z.string().optional(), title: z.string().optional() }).optional(),
    }),
  ),
})

export interface SubtitleStream {
  /** Its number among all streams of the film. */
  index: number
  language: string | undefined
  title: string | undefined
}

export class SubtitleProgram {
  readonly #tools: FfmpegTools
  readonly #program: PictureProgram
  readonly #atWork = new Limiter(QUEUE)

  /** @param open starts the isolation, with `SUBTITLE_LIMITS`, when the first film is read */
  constructor(tools: FfmpegTools, open: () => Promise<Shell>) {
    this.#tools = tools
    this.#program = new PictureProgram(open)
  }

  /**
   * @param openFolder opens the file's folder, links resolved
   * @returns the subtitles of text in a film, in the order of the file; none if it cannot be read
   * @throws Fault unavailable if too many films wait
   */
  async streams(openFolder: () => Promise<CommandFolder>, name: string): Promise<SubtitleStream[]> {
    const output = await this.#run(openFolder, name, [
      this.#tools.ffprobe,
      ...['-loglevel', 'error', ...OPTIONS, '-select_streams', 's'],
      ...['-show_entries', 'stream=index,codec_name:stream_tags=language,title'],
      ...['-of', 'json', `file:${name}`],
    ])
    const { streams } = parsed(output)
    return streams
      .filter(({ codec_name }) => TEXT_CODECS.has(codec_name ?? ''))
      .map(({ index, tags }) => ({ index, language: tags?.language, title: tags?.title }))
  }

  /**
   * @param index as in `SubtitleStream`
   * @returns a file in the format WebVTT; undefined if there is no such stream, or a limit is reached
   * @throws Fault unavailable if too many films wait
   */
  async webVtt(
    openFolder: () => Promise<CommandFolder>,
    name: string,
    index: number,
  ): Promise<string | undefined> {
    const output = await this.#run(openFolder, name, [
      this.#tools.ffmpeg,
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1', ...OPTIONS],
      ...['-i', `file:${name}`, '-map', `0:${index}`, '-c:s', 'webvtt', '-f', 'webvtt', 'pipe:1'],
    ])
    return output && new TextDecoder().decode(output)
  }

  close(): Promise<void> {
    return this.#program.close()
  }

  #run(openFolder: () => Promise<CommandFolder>, name: string, argv: string[]) {
    return this.#atWork.run(() => this.#program.run([argv], openFolder, name))
  }
}

export interface FfmpegTools {
  ffmpeg: string
  ffprobe: string
}

/** The paths of ffmpeg and ffprobe, if both are installed. */
export function findFfmpegTools(): FfmpegTools | undefined {
  const [ffmpeg, ffprobe] = ['ffmpeg', 'ffprobe'].map((name) =>
    Bun.which(name, { PATH: PROGRAM_PATH }),
  )
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : undefined
}

function parsed(output: Uint8Array | undefined): z.infer<typeof streamsShape> {
  try {
    return streamsShape.parse(JSON.parse(new TextDecoder().decode(output)))
  } catch {
    return { streams: [] }
  }
}
