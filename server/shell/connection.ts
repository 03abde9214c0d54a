/** The line to a person, as the two protocols of the command socket see it. */
import type { Scope } from '#server/access/scope.ts'
import type { TreePath } from '#wire/paths.ts'

export interface Connection {
  /** Sends a text. Resolves when the reader keeps up, or has left. */
  send(text: string): Promise<void>
  /** Bytes that wait to be sent. */
  backlog(): number
  /** Hangs up, after what was sent; with a reason where the other side went too far (1013). */
  close(reason?: string): void
}

/** Who is at the other end, as the database has it now. */
export interface ShellUser {
  scope: Scope
  /** Programs this person may start. */
  programs: readonly string[]
}

export interface ShellSession {
  /** The folder in which commands start. */
  folder: TreePath
  /** Undefined when the session is over. */
  user(): ShellUser | undefined
  /** What a terminal starts that names no program: the administrator's shell. */
  shell(): readonly string[]
}

/** One side of a conversation. */
export interface Protocol {
  /** A program runs, or is about to. */
  readonly busy: boolean
  receive(text: string): void
  /** The other side has hung up. */
  leave(): void
}
