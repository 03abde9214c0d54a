/** Extracts pictures from video and audio files by an isolated ffmpeg, if it is installed. */
import type { CommandFolder } from '#server/storage/storage.ts'
import { PROGRAM_PATH } from '../isolation/policy.ts'
import type { Shell } from '../shell.ts'
import { PictureProgram } from './picture-program.ts'

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

export class MediaFrames {
  readonly #ffmpeg: string
  readonly #program: PictureProgram

  /** @param open starts the isolation when the first picture is requested */
  constructor(ffmpeg: string, open: () => Promise<Shell>) {
    this.#ffmpeg = ffmpeg
    this.#program = new PictureProgram(open)
  }

  /**
   * Extracts a frame of a video, or the cover of an audio file.
   *
   * @param openFolder opens the file's folder, links resolved
   * @returns a JPEG; undefined if there is none
   */
  frame(openFolder: () => Promise<CommandFolder>, name: string): Promise<Uint8Array | undefined> {
    // The first frame is often black, so the one after two seconds is tried first. Short files have none there.
    const commands = [['-ss', '2'], []].map((seek) => [
      this.#ffmpeg,
      ...OPTIONS,
      ...seek,
      '-i',
      `file:${name}`,
      ...PICTURE,
    ])
    return this.#program.run(commands, openFolder, name)
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}

/** The path of ffmpeg, if it is installed. */
export function findFfmpeg(): string | undefined {
  return Bun.which('ffmpeg', { PATH: PROGRAM_PATH }) ?? undefined
}
