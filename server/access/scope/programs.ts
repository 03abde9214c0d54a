/** Opens folders in which programs are started. A program then accesses files without further checks. */
import type { CommandFolder, Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { Authorization } from '../authorization.ts'
import { requireAction } from '../policy.ts'

export class ScopePrograms {
  readonly #storage: Storage
  readonly #authorization: Authorization

  constructor(storage: Storage, authorization: Authorization) {
    this.#storage = storage
    this.#authorization = authorization
  }

  /**
   * Opens a folder for a command of the actor. The command can read hidden dotfiles.
   *
   * @throws Fault forbidden, notFound, notDirectory, unsupported
   */
  async openForCommand(path: TreePath): Promise<CommandFolder> {
    requireAction(this.#authorization.actor, 'execute')
    this.#authorization.requireVisible(path)
    this.#authorization.requireNoRules()
    return this.open(path)
  }

  /**
   * Opens the folder of a file for a program of the server, which reads only that file.
   *
   * @throws Fault forbidden, notFound, unsupported
   */
  async openForThumbnailer(file: TreePath): Promise<CommandFolder> {
    requireAction(this.#authorization.actor, 'download')
    this.#authorization.requireVisible(file)
    return this.open(parentPath(file))
  }

  /**
   * Opens a folder without checks, for an event command of the administrator.
   *
   * @throws Fault unsupported
   */
  async open(path: TreePath): Promise<CommandFolder> {
    const { openForCommand } = this.#storage.can
    if (openForCommand) return openForCommand(path)
    throw new Fault('unsupported', 'Commands cannot run on this storage.')
  }
}
