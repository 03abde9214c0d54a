/**
 * Which English messages load later than the first page, to make it small. The build takes them out of en.json, and adds
 * their part to every file that uses one (`ui/vite.config.ts`).
 */

/** The parts, and the groups of en.json that are in them. */
export const MESSAGE_PARTS = {
  settings: ['settings', 'activity'],
  later: [
    'archive',
    'book',
    'details',
    'documents',
    'emptyFolder',
    'firstSteps',
    'invite',
    'login',
    'media',
    'player',
    'progress',
    'prompts',
    'readme',
    'share',
    'shell',
    'table',
  ],
} as const

export type MessagePart = keyof typeof MESSAGE_PARTS

/** Messages of these groups that the first page shows too, and everything below them. */
const FIRST =
  /^(?:settings\.(?:title|trash|shares\.title)|share\.rest|prompts\.download\.leftOut)(?:[._]|$)/

/** @returns the part with the message; undefined if the first page has it */
export function partOf(key: string): MessagePart | undefined {
  if (FIRST.test(key)) return undefined
  const group = key.replace(/\..*/, '')
  if ((MESSAGE_PARTS.settings as readonly string[]).includes(group)) return 'settings'
  return (MESSAGE_PARTS.later as readonly string[]).includes(group) ? 'later' : undefined
}
