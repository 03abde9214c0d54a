/** The interfaces that are notified of changes of files; event commands can also refuse a change. */
import type { CommandFolder } from '#server/storage/storage.ts'
import type { HookName } from '#wire/api/events.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'

/** Notified after a rename or delete, with paths from the served root, so that shares follow or are removed. */
export interface PathListener {
  moved(from: TreePath, to: TreePath): Promise<void>
  removed(path: TreePath): Promise<void>
  /** @returns the shares that a removal of the path would delete, as text; empty if there are none */
  sharesBelow?(path: TreePath): Promise<string>
  /**
   * Creates the deleted shares again.
   *
   * @param lost the text that `sharesBelow` returned
   * @param from the path that was removed
   * @param to the path that it is restored to
   * @param mayReopen whether the shares of this user are created again
   * @returns the number of shares that were created
   */
  restored?(
    lost: string,
    from: TreePath,
    to: TreePath,
    mayReopen: (userId: number) => boolean,
  ): Promise<number>
}

/** A change of a file that is about to happen, or has happened (docs/api.md 6). */
export interface FileEvent {
  hook: HookName
  actor: Actor
  path: TreePath
  /** The destination of a copy or rename. */
  destination: TreePath | undefined
  /**
   * Opens the actor's root for a program.
   *
   * @throws Fault unsupported if it is not on a disk
   */
  openForCommand(): Promise<CommandFolder>
}

/** Runs the commands that the administrator configured for an event. Throwing before a change refuses it. */
export type EventHook = (event: FileEvent) => Promise<void>
