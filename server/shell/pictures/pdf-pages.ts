/** Renders the first page of a PDF by an isolated pdftoppm (of Poppler), if it is installed. */
import type { CommandFolder } from '#server/storage/storage.ts'
import { PROGRAM_PATH } from '../isolation/policy.ts'
import type { Shell } from '../shell.ts'
import { PictureProgram } from './picture-program.ts'

/** The longer side in pixels: that of the largest preview. */
const LONGER_SIDE = '1080'
/** Options of pdftoppm for a JPEG of the first page. */
export const PDF_OPTIONS = [
  ...['-q', '-f', '1', '-l', '1', '-singlefile', '-cropbox'],
  ...['-scale-to', LONGER_SIDE, '-jpeg'],
]

export class PdfPages {
  readonly #pdftoppm: string
  readonly #program: PictureProgram

  /** @param open starts the isolation when the first page is requested */
  constructor(pdftoppm: string, open: () => Promise<Shell>) {
    this.#pdftoppm = pdftoppm
    this.#program = new PictureProgram(open)
  }

  /**
   * @param openFolder opens the file's folder, links resolved
   * @returns a JPEG of the first page; undefined if it cannot be rendered
   */
  page(openFolder: () => Promise<CommandFolder>, name: string): Promise<Uint8Array | undefined> {
    // With `./`, a name that begins with a dash is not read as an option.
    return this.#program.run([[this.#pdftoppm, ...PDF_OPTIONS, `./${name}`]], openFolder, name)
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}

/** The path of pdftoppm, if it is installed. */
export function findPdftoppm(): string | undefined {
  return Bun.which('pdftoppm', { PATH: PROGRAM_PATH }) ?? undefined
}
