/** The last position of a player: restored when a recording opens, and stored while it plays. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { positionIn, savePosition } from './bookmarks.ts'

/** The part of a media element that is read and moved. */
type Player = Pick<HTMLMediaElement, 'currentTime' | 'duration'>

/** Moves to the stored position, unless it is at the end. */
export function resumePosition(player: Player, file: string): void {
  const position = positionIn(file)
  if (position !== undefined && position < player.duration - ON_DEMAND_LIMITS.bookmarkStepSeconds)
    player.currentTime = position
}

/** Stores the position if it has moved far enough since the last time. */
export function saveIfMoved(player: Player, file: string): void {
  if (Math.abs(player.currentTime - (positionIn(file) ?? 0)) > ON_DEMAND_LIMITS.bookmarkStepSeconds)
    savePositionOf(player, file)
}

/**
 * Stores the position. At the beginning and at the end the stored position is deleted. A player whose length is not
 * known has not loaded the file: the stored position stays.
 */
export function savePositionOf({ currentTime, duration }: Player, file: string): void {
  if (Number.isNaN(duration)) return
  const isWithin =
    currentTime > ON_DEMAND_LIMITS.bookmarkStepSeconds &&
    currentTime < duration - ON_DEMAND_LIMITS.bookmarkStepSeconds
  savePosition(
    file,
    duration > ON_DEMAND_LIMITS.bookmarkedMinSeconds && isWithin
      ? Math.floor(currentTime)
      : undefined,
  )
}
