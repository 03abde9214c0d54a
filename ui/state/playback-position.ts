/** The last position of a player: restored when a recording opens, and stored while it plays. */
import type { TreePath } from '#wire/paths.ts'
import { positionIn, savePosition } from './bookmarks.ts'

/** Positions in shorter recordings are not stored. */
const DURATION_MIN_SECONDS = 60
/** The position is stored each time it has moved this far: more often would only write more. */
const SAVE_STEP_SECONDS = 5

/** The part of a media element that is read and moved. */
type Player = Pick<HTMLMediaElement, 'currentTime' | 'duration'>

/** Moves to the stored position, unless it is at the end. */
export function resumePosition(player: Player, path: TreePath): void {
  const position = positionIn(path)
  if (position !== undefined && position < player.duration - SAVE_STEP_SECONDS)
    player.currentTime = position
}

/** Stores the position if it has moved far enough since the last time. */
export function saveIfMoved(player: Player, path: TreePath): void {
  if (Math.abs(player.currentTime - (positionIn(path) ?? 0)) > SAVE_STEP_SECONDS)
    savePositionOf(player, path)
}

/** Stores the position. At the beginning and at the end the stored position is deleted. */
export function savePositionOf({ currentTime, duration }: Player, path: TreePath): void {
  const isWithin = currentTime > SAVE_STEP_SECONDS && currentTime < duration - SAVE_STEP_SECONDS
  savePosition(
    path,
    duration > DURATION_MIN_SECONDS && isWithin ? Math.floor(currentTime) : undefined,
  )
}
