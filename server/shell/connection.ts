/** The interfaces between a WebSocket and the two protocols. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { TreePath } from '#wire/paths.ts'

export interface Connection {
  /** Sends a text. Resolves when the client keeps up, or has left. */
  send(text: string): Promise<void>
  /** Bytes that wait to be sent. */
  backlog(): number
  /** Closes the connection after pending messages: with code 1000, or with 1013 if there is a reason. */
  close(reason?: string): void
}

/** The user with the rights that the database has at the time of the call. */
export interface ShellUser {
  scope: Scope
  /** Programs that this user may start. */
  programs: readonly string[]
}

export interface ShellSession {
  /** The folder in which commands start. */
  folder: TreePath
  /** Undefined if the session has ended. */
  user(): Promise<ShellUser | undefined>
  /** The administrator's shell, for a terminal without a program. */
  shell(): readonly string[]
}

/** A protocol on an open connection. */
export interface Protocol {
  /** Whether a program runs, or is about to. */
  readonly isBusy: boolean
  receive(text: string): void
  /** Called when the connection is closed. */
  closed(): void
}
