/** Renders the first page of an office document by an isolated LibreOffice, if it is installed. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { Limiter } from '#server/limits/limiter.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import { PROGRAM_PATH, SYSTEM_FOLDERS } from '../isolation/policy.ts'
import type { Shell } from '../shell.ts'
import { PDF_OPTIONS } from './pdf-pages.ts'
import { PICTURE_LIMITS, PictureProgram } from './picture-program.ts'

/** A start takes about a second, so the limit is higher than that of other programs. */
export const DOCUMENT_LIMITS = { ...PICTURE_LIMITS, timeMs: 30_000, fileBytes: 64 * 2 ** 20 }
/** For the profile, which each start creates, and the picture. */
const WORKSPACE_BYTES = 128 * 2 ** 20
const QUEUE = {
  what: 'documents being rendered',
  all: 1,
  waiting: 64,
  message: 'Too many previews are being rendered. Try again in a moment.',
  retryAfterSec: 5,
}

/**
 * $0: the folder of LibreOffice; $1: the document. With a new profile, the first start only creates it and fails.
 * LibreOffice writes a JPEG only if its drawing program is installed too; a PDF it always writes.
 */
const SCRIPT = `
export HOME="$TMPDIR"
convert() {
  LD_LIBRARY_PATH="$0" "$0/soffice.bin" "-env:UserInstallation=file://$TMPDIR/profile" \\
    --headless --norestore --nologo --convert-to "$1" --outdir "$TMPDIR/out" "$2" >/dev/null 2>&1
}
convert jpg "$1" || convert jpg "$1"
cat "$TMPDIR"/out/*.jpg 2>/dev/null && exit
convert pdf "$1"
pdftoppm ${PDF_OPTIONS.join(' ')} "$TMPDIR"/out/*.pdf
`

export class DocumentPages {
  readonly #programs: string
  readonly #program: PictureProgram
  readonly #atWork = new Limiter(QUEUE)

  /**
   * @param programs the folder of the programs of LibreOffice
   * @param open starts the isolation, with `DOCUMENT_LIMITS`, when the first page is requested
   */
  constructor(programs: string, open: () => Promise<Shell>) {
    this.#programs = programs
    this.#program = new PictureProgram(open)
  }

  /**
   * @param openFolder opens the file's folder, links resolved
   * @returns a JPEG of the first page, sheet or slide; undefined if it cannot be rendered
   * @throws Fault unavailable if too many documents wait
   */
  page(openFolder: () => Promise<CommandFolder>, name: string): Promise<Uint8Array | undefined> {
    const argv = ['/bin/sh', '-c', SCRIPT, this.#programs, `./${name}`]
    return this.#atWork.run(() =>
      this.#program.run([argv], openFolder, name, { workspaceBytes: WORKSPACE_BYTES }),
    )
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}

/** The folder of LibreOffice's programs, if it is installed in a system folder, where the isolation allows it. */
export function findSoffice(): string | undefined {
  const soffice = Bun.which('soffice', { PATH: PROGRAM_PATH })
  if (!soffice) return undefined
  const folder = dirname(realpathSync(soffice))
  return SYSTEM_FOLDERS.some((system) => folder.startsWith(`${system}/`)) ? folder : undefined
}
