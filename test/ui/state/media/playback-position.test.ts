import { expect, test } from 'bun:test'
import { parsePath } from '#wire/paths.ts'
import '../../browser.ts'

const { resumePosition, savePositionOf } = await import('#ui/state/media/playback-position.ts')

const FILM = parsePath('/film.mp4')

/** The position at which a film that was stored at 100 s resumes, after `savePositionOf` of another player. */
function resumedAfter(player: { currentTime: number; duration: number }): number {
  savePositionOf({ currentTime: 100, duration: 5000 }, FILM)
  savePositionOf(player, FILM)
  const next = { currentTime: 0, duration: 5000 }
  resumePosition(next, FILM)
  return next.currentTime
}

test.each([
  ['a later position replaces the stored one', { currentTime: 200, duration: 5000 }, 200],
  ['the end deletes it', { currentTime: 5000, duration: 5000 }, 0],
  ['a player that could not load the film keeps it', { currentTime: 0, duration: NaN }, 100],
])('the position of a film: %s', (_, player, expected) => {
  expect(resumedAfter(player)).toBe(expected)
})
