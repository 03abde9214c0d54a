/** Logs and counts what a response leaves out because the server's account may not read it. */
import type { LeftOutReason } from '#server/storage/storage.ts'
import { LEFT_OUT_HEADER } from '#wire/api/session.ts'
import type { TreePath } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'

/** The most paths of one request that are logged. */
const LOGGED_MAX = 100

export class LeftOutLog {
  readonly #call: AnyCall
  readonly #paths = new Set<TreePath>()

  constructor(call: AnyCall) {
    this.#call = call
  }

  /** A path may be added more than once. */
  add(path: TreePath): void {
    if (this.#paths.has(path)) return
    this.#paths.add(path)
    const { logger, path: source } = this.#call.var
    if (this.#paths.size === LOGGED_MAX) logger.logLine(source, 'Further paths are not logged.')
    if (this.#paths.size >= LOGGED_MAX) return
    logger.logLine(source, `“${path}” is left out: the server’s account may not read it.`)
  }

  /** For a copy, which also leaves out special files and links. */
  readonly addUnreadable = (path: TreePath, reason: LeftOutReason): void => {
    if (reason === 'unreadable') this.add(path)
  }

  /** The number of paths, if there are any. */
  headers(): Record<string, string> {
    return this.#paths.size === 0 ? {} : { [LEFT_OUT_HEADER]: String(this.#paths.size) }
  }
}
