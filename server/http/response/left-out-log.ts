/** Logs and counts what a copy or an archive leaves out. */
import type { LeftOutReason } from '#server/storage/node.ts'
import type { LeftOutEvent } from '#wire/api/events.ts'
import { LEFT_OUT_HEADER } from '#wire/api/session.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'

/** The most paths of one request that are logged. */
const LOGGED_MAX = 100
/** So many names are in the sentence of a response. */
const NAMED_MAX = 5

const REASONS: Record<LeftOutReason, string> = {
  unreadable: 'the server’s account may not read it',
  link: 'the link leads outside, to nothing, to itself, or to a folder that is included already',
  special: 'it is a pipe, a socket or a device',
  reserved: 'the name is reserved for snapshots',
  denied: 'the user does not have access to it',
}

export class LeftOutLog {
  readonly #call: AnyCall
  readonly #from: LeftOutEvent['from']
  readonly #paths = new Map<TreePath, LeftOutReason>()
  #isComplete = false
  #isSent = false

  constructor(call: AnyCall, from: LeftOutEvent['from']) {
    this.#call = call
    this.#from = from
  }

  /** A path may be added more than once. */
  readonly add = (path: TreePath, reason: LeftOutReason): void => {
    if (this.#paths.has(path)) return
    this.#paths.set(path, reason)
    const { logger, path: source } = this.#call.var
    if (this.#paths.size === LOGGED_MAX) logger.logLine(source, 'Further paths are not logged.')
    if (this.#paths.size >= LOGGED_MAX) return
    logger.logLine(source, `“${path}” is left out: ${REASONS[reason]}.`)
  }

  /** Called when no further paths will be added. */
  readonly complete = (): void => {
    this.#isComplete = true
    this.#notify()
  }

  /**
   * Called when a copy is complete, or a body is sent from its beginning: what it lacks is reported to the event streams of
   * the session.
   */
  begin(): void {
    this.#isSent = true
    this.#notify()
  }

  #notify(): void {
    const { app, auth } = this.#call.var
    if (!auth || !this.#isSent || !this.#isComplete || this.#paths.size === 0) return
    const names = [...this.#paths.keys()].slice(0, NAMED_MAX).map(nameOf)
    app.leftOut.notify(auth.session.id, { from: this.#from, count: this.#paths.size, names })
  }

  /** The number of paths, if there are any. */
  headers(): Record<string, string> {
    return this.#paths.size === 0 ? {} : { [LEFT_OUT_HEADER]: String(this.#paths.size) }
  }

  /** The paths and the reasons, for the text of a response; empty if nothing is left out. */
  sentence(): string {
    const { size } = this.#paths
    if (size === 0) return ''
    const named = [...this.#paths]
      .slice(0, NAMED_MAX)
      .map(([path, reason]) => `“${path}”: ${REASONS[reason]}`)
    const more = size > named.length ? `; and ${size - named.length} more` : ''
    const count = size === 1 ? '1 entry was' : `${size} entries were`
    return `${count} left out. ${named.join('; ')}${more}.\n`
  }
}
