/** Opens folders for programs, which then reach files without asking again. */
import type { CommandFolder, Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { Authorization } from './authorization.ts'
import { must } from './policy.ts'

export class ScopePrograms {
  readonly #storage: Storage
  readonly #authorization: Authorization

  constructor(storage: Storage, authorization: Authorization) {
    this.#storage = storage
    this.#authorization = authorization
  }

  /**
   * Opens a folder for a program of the actor's. Hidden dotfiles are a matter of looks and stay within its
   * reach.
   * @throws Fault forbidden, notFound, notDirectory, unsupported
   */
  async openForCommand(path: TreePath): Promise<CommandFolder> {
    must(this.#authorization.actor, 'execute')
    this.#authorization.mustSee(path)
    this.#authorization.mustBeFree()
    return this.open(path)
  }

  /**
   * Opens the folder of a file for a program of the server's own, which reads that file and tells the
   * actor no more of it than `read` would.
   * @throws Fault forbidden, notFound, unsupported
   */
  async openForThumbnailer(file: TreePath): Promise<CommandFolder> {
    must(this.#authorization.actor, 'download')
    this.#authorization.mustSee(file)
    return this.open(parentPath(file))
  }

  /** The same with nothing asked, for what the operator has tied to an event. @throws Fault unsupported */
  async open(path: TreePath): Promise<CommandFolder> {
    const { openForCommand } = this.#storage.can
    if (openForCommand) return openForCommand(path)
    throw new Fault('unsupported', 'No command can run where these files are.')
  }
}
