/**
 * Renders each SVG file in a child process: a small file can take for ever to render, and only the end of the process
 * stops that.
 */
import { constants, setPriority } from 'node:os'
import { Limiter } from '#server/limits/limiter.ts'
import { Fault } from '#wire/fault.ts'
import type { Thumbnail, ThumbnailSize } from './thumbnails.ts'

/** The most processor time of one rendering, and the most time that passes. */
const RENDER_MAX_CPU_S = 5
const RENDER_MAX_MS = 60_000
/** The most memory of the process; an SVG file may contain pictures. */
const RENDER_MAX_KIB = 768 * 1024
/** Limit of the resulting picture. */
const OUTPUT_MAX_BYTES = 16 * 2 ** 20
/** Environment variables that the process gets: they locate the unpacked image library. */
const INHERITED = ['HOME', 'XDG_CACHE_HOME', 'TMPDIR', 'PATH']
const BOUND = {
  what: 'drawings being drawn',
  all: 1,
  waiting: 64,
  message: 'Too many previews are being rendered. Try again in a moment.',
  retryAfterSec: 2,
}

export class SvgRenderer {
  readonly #program: readonly string[]
  readonly #atWork = new Limiter(BOUND)

  /**
   * @param program the command line of the renderer (`filemgr draw`). It gets the size as JSON in a further argument,
   *   reads the SVG file, and writes a line with the media type and then the bytes.
   */
  constructor(program: readonly string[]) {
    this.#program = program
  }

  /**
   * @param input reads the SVG file when it is its turn
   * @throws Fault unprocessable if it cannot be rendered in time; unavailable
   */
  render(input: () => Promise<Uint8Array>, size: ThumbnailSize): Promise<Thumbnail> {
    return this.#atWork.run(async () => {
      const output = await this.#renderInChild(await input(), size)
      const end = output.indexOf(10)
      if (end < 0) throw new Fault('unprocessable', 'This picture cannot be read.')
      return {
        type: new TextDecoder().decode(output.subarray(0, end)),
        bytes: output.subarray(end + 1),
      }
    })
  }

  async #renderInChild(input: Uint8Array, size: ThumbnailSize): Promise<Uint8Array> {
    const limited = [
      'sh',
      '-c',
      `ulimit -t ${RENDER_MAX_CPU_S}; ulimit -d ${RENDER_MAX_KIB}; exec "$@"`,
      'sh',
    ]
    const child = Bun.spawn([...limited, ...this.#program, JSON.stringify(size)], {
      stdin: new Uint8Array(input),
      stdout: 'pipe',
      stderr: 'ignore',
      env: Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
      timeout: RENDER_MAX_MS,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_MAX_BYTES,
    })
    lowerPriority(child.pid)
    const output = await new Response(child.stdout).bytes()
    return (await child.exited) === 0 ? output : new Uint8Array()
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has already ended.
  }
}
