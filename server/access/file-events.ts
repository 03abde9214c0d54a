/** Who is told of what happens to files, and may refuse it. */
import type { CommandFolder } from '#server/storage/storage.ts'
import type { HookName } from '#wire/events.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'

/** Hears of names that changed, in the terms of the served tree: public links go along or go. */
export interface PathListener {
  moved(from: TreePath, to: TreePath): void
  removed(path: TreePath): void
  /** What would be lost with a path, as a text of its own; empty for nothing. */
  lostWith?(path: TreePath): string
  /** Brings back what was lost with a path, at the same or at another one. */
  cameBack?(lost: string, from: TreePath, to: TreePath): void
}

/** Something that is about to happen to a file, or has just happened (docs/api.md 6). */
export interface FileEvent {
  hook: HookName
  actor: Actor
  path: TreePath
  /** Where a copied or renamed thing goes. */
  destination: TreePath | undefined
  /** Opens the actor's top folder for a program. @throws Fault unsupported where there is none */
  openForCommand(): Promise<CommandFolder>
}

/**
 * What the administrator tied to events. Throwing refuses what is about to happen; what has happened
 * stays.
 */
export type EventHook = (event: FileEvent) => Promise<void>
