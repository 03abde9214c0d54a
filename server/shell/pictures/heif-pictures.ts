/** Decodes HEIC and HEIF pictures by an isolated program of libheif, if it is installed. */
import type { CommandFolder } from '#server/storage/storage.ts'
import { PROGRAM_PATH } from '../isolation/policy.ts'
import type { Shell } from '../shell.ts'
import { PICTURE_LIMITS, PictureProgram } from './picture-program.ts'

/** A picture of a phone has 48 megapixels, whose JPEG is larger than a preview. */
export const HEIF_LIMITS = {
  ...PICTURE_LIMITS,
  outputBytes: 64 * 2 ** 20,
  fileBytes: 64 * 2 ** 20,
}
const WORKSPACE_BYTES = 128 * 2 ** 20

/**
 * $0: the program; $1: the file. A file of several pictures becomes `picture-1.jpg` and so on. The program writes
 * messages to its output, so the JPEG goes through a file.
 */
const SCRIPT = `
"$0" -q 90 "$1" "$TMPDIR/picture.jpg" >/dev/null 2>&1
for picture in "$TMPDIR"/picture*.jpg; do exec cat "$picture"; done
`

export class HeifPictures {
  readonly #decoder: string
  readonly #program: PictureProgram

  /** @param open starts the isolation, with `HEIF_LIMITS`, when the first picture is requested */
  constructor(decoder: string, open: () => Promise<Shell>) {
    this.#decoder = decoder
    this.#program = new PictureProgram(open)
  }

  /**
   * @param openFolder opens the file's folder, links resolved
   * @returns an upright JPEG in full size; undefined if it cannot be decoded
   */
  picture(openFolder: () => Promise<CommandFolder>, name: string): Promise<Uint8Array | undefined> {
    const argv = ['/bin/sh', '-c', SCRIPT, this.#decoder, `./${name}`]
    return this.#program.run([argv], openFolder, name, { workspaceBytes: WORKSPACE_BYTES })
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}

/** The path of the decoder of libheif, which newer versions call `heif-dec`, if it is installed. */
export function findHeifDecoder(): string | undefined {
  const found = ['heif-dec', 'heif-convert'].map((name) => Bun.which(name, { PATH: PROGRAM_PATH }))
  return found.find((path) => path !== null) ?? undefined
}
