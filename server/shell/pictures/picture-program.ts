/** Runs programs that make a picture of one file. They are isolated and can read no other file. */
import type { CommandFolder } from '#server/storage/storage.ts'
import type { ProgramSpec } from '../program.ts'
import type { Shell } from '../shell.ts'

/** Limits of one picture. */
export const PICTURE_LIMITS = {
  timeMs: 15_000,
  memoryBytes: 1024 ** 3,
  processes: 64,
  outputBytes: 8 * 1024 ** 2,
  // A program writes no file; 0 would mean no limit.
  fileBytes: 1,
}

export class PictureProgram {
  readonly #open: () => Promise<Shell>
  #shell: Promise<Shell> | undefined

  /** @param open starts the isolation when the first picture is requested */
  constructor(open: () => Promise<Shell>) {
    this.#open = open
  }

  /**
   * Runs commands until one writes a picture.
   *
   * @param openFolder opens the file's folder, links resolved
   * @param needs what the commands need besides the file, which not every machine can isolate
   * @returns the output; undefined if there is none, a command reached a limit, or it cannot be isolated
   */
  async run(
    commands: readonly string[][],
    openFolder: () => Promise<CommandFolder>,
    name: string,
    needs: Pick<ProgramSpec, 'workspaceBytes'> = {},
  ): Promise<Uint8Array | undefined> {
    this.#shell ??= this.#open()
    const shell = await this.#shell
    if (shell.off !== undefined) return undefined
    if (needs.workspaceBytes !== undefined && shell.isolation !== 'root') return undefined
    for (const argv of commands) {
      const running = shell.start({ argv, folder: await openFolder(), only: name, ...needs })
      const parts: Uint8Array[] = []
      for await (const bytes of running.output('stdout')) parts.push(bytes)
      const { endReason } = await running.ended
      if (endReason) return undefined
      if (parts.length > 0) return new Uint8Array(Buffer.concat(parts))
    }
    return undefined
  }

  async close(): Promise<void> {
    await (await this.#shell)?.close()
  }
}
