/** Extracts pictures from video and audio files by an isolated ffmpeg, if it is installed. */
import type { CommandFolder } from '#server/storage/storage.ts'
import { PROGRAM_PATH } from './policy.ts'
import type { Shell } from './shell.ts'

/** Container formats that hold their own data. Playlists (HLS, concat), which refer to other files, are excluded. */
const FORMATS = 'mov,matroska,avi,asf,flv,mpegts,mpeg,ogg,mp3,flac,wav,aiff,ape'
const OPTIONS = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1'],
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', FORMATS],
]
/** One frame, no wider than a preview. */
const PICTURE = [
  '-map',
  '0:v:0',
  '-frames:v',
  '1',
  '-vf',
  "scale='min(1080,iw)':-2",
  '-c:v',
  'mjpeg',
  '-f',
  'image2pipe',
  'pipe:1',
]

/** Limits of one picture. */
export const FRAME_LIMITS = {
  timeMs: 15_000,
  memoryBytes: 1024 ** 3,
  processes: 64,
  outputBytes: 8 * 1024 ** 2,
  fileBytes: 1,
}

export class MediaFrames {
  readonly #ffmpeg: string
  readonly #open: () => Promise<Shell>
  #shell: Promise<Shell> | undefined

  /** @param open starts the isolation when the first picture is requested */
  constructor(ffmpeg: string, open: () => Promise<Shell>) {
    this.#ffmpeg = ffmpeg
    this.#open = open
  }

  /**
   * Extracts a frame of a video, or the cover of an audio file.
   *
   * @param openFolder opens the file's folder, links resolved
   * @returns a JPEG; undefined if there is none
   */
  async frame(
    openFolder: () => Promise<CommandFolder>,
    name: string,
  ): Promise<Uint8Array | undefined> {
    this.#shell ??= this.#open()
    const shell = await this.#shell
    if (shell.off !== undefined) return undefined
    // The first frame is often black; short videos and audio files have no other.
    for (const from of [['-ss', '2'], []]) {
      const argv = [this.#ffmpeg, ...OPTIONS, ...from, '-i', `file:${name}`, ...PICTURE]
      const running = shell.start({ argv, folder: await openFolder(), only: name })
      const parts: Uint8Array[] = []
      for await (const bytes of running.output('stdout')) parts.push(bytes)
      const { cut } = await running.ended
      if (cut) return undefined
      if (parts.length > 0) return new Uint8Array(Buffer.concat(parts))
    }
    return undefined
  }

  async close(): Promise<void> {
    await (await this.#shell)?.close()
  }
}

/** The path of ffmpeg, if it is installed. */
export function findFfmpeg(): string | undefined {
  return Bun.which('ffmpeg', { PATH: PROGRAM_PATH }) ?? undefined
}
