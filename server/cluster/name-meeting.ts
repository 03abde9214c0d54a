/**
 * Two servers make the same names in a folder at the same moment, before the second one serves it. On a file system whose
 * mounts do not agree, both get some of the names, and files of users would be replaced in silence. One machine alone cannot
 * see that. The one that starts asks the other one, which looks for a question whenever it renews its lease.
 */
import type { MeetingState, ServerMeetings } from '#server/db/postgres/server-meetings.ts'
import type { NamesMade } from '#server/storage/probe.ts'
import type { FolderSharing } from '#server/storage/storage.ts'

/** How long the other server may take. It renews its lease every five seconds, and may be starting itself. */
const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 50

/** How a process makes names in the folder. */
export type FolderMeetings = Pick<FolderSharing, 'openMeeting' | 'makeNames' | 'closeMeeting'>

/** What both have made, or a sentence that says why that is not known. */
export type Met = { own: NamesMade; other: NamesMade } | { failure: string }

const NO_ANSWER =
  'That server did not try the file system together with this one. Start it again, with the same version.'

/** The answer of the server that was asked, as it is stored. */
type Answer = { made: NamesMade } | { failure: string }

interface Asking {
  rows: ServerMeetings
  meetings: FolderMeetings
  /** A clock that does not jump. */
  nowMs(): number
}

/**
 * Asks another server and makes names together with it.
 *
 * @param number of its lease
 * @returns undefined if it has ended
 * @throws Fault if this process cannot make names; errors of the database
 */
export async function meet(number: number, asking: Asking): Promise<Met | undefined> {
  const { meetings, rows } = asking
  const meeting = await meetings.openMeeting()
  try {
    return await meetIn(meeting, number, asking)
  } catch (error) {
    if (!(error instanceof NoMeeting)) throw error
    return error.hasEnded ? undefined : { failure: NO_ANSWER }
  } finally {
    await rows.end(number, meeting)
    await meetings.closeMeeting(meeting)
  }
}

/**
 * Makes names together with a server that has asked for it, and answers.
 *
 * @throws errors of the database
 */
export async function takePart(
  meeting: string,
  {
    rows,
    number,
    meetings,
  }: { rows: ServerMeetings; number: number; meetings: FolderMeetings | undefined },
): Promise<void> {
  const waitMs = await rows.accept(number, meeting)
  if (waitMs === undefined) return
  await Bun.sleep(Math.max(0, waitMs))
  await rows.answer(number, meeting, JSON.stringify(await made(meeting, meetings)))
}

async function made(meeting: string, meetings: FolderMeetings | undefined): Promise<Answer> {
  // This one only reads the folder.
  if (!meetings) return { made: { created: [], renamed: [] } }
  try {
    return { made: await meetings.makeNames(meeting, 'earlier') }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { failure: `That server could not make files there: ${reason}` }
  }
}

async function meetIn(
  meeting: string,
  number: number,
  { rows, meetings, nowMs }: Asking,
): Promise<Met> {
  const untilMs = nowMs() + PATIENCE_MS
  const found = async <T>(find: (state: MeetingState) => T | undefined): Promise<T> => {
    for (;;) {
      const state = await rows.state(number)
      if (!state) throw new NoMeeting(true)
      const result = find(state)
      if (result !== undefined) return result
      if (nowMs() > untilMs) throw new NoMeeting(false)
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }
  while (!(await rows.ask(number, meeting))) {
    // Another server is asking.
    await found(({ asked }) => (asked === '' ? true : undefined))
  }
  const waitMs = await found((state) => state.waitMs ?? undefined)
  await Bun.sleep(Math.max(0, waitMs))
  const own = await meetings.makeNames(meeting, 'later')
  // Another server of the same version has written it.
  const answer = JSON.parse(await found((state) => state.answer || undefined)) as Answer
  return 'made' in answer ? { own, other: answer.made } : answer
}

/** Ends the wait for the other server. */
class NoMeeting extends Error {
  readonly hasEnded: boolean

  constructor(hasEnded: boolean) {
    super('The other server does not answer.')
    this.hasEnded = hasEnded
  }
}
