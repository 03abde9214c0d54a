/** The events that commands can be tied to (docs/api.md 6). */
const EVENTS = ['upload', 'save', 'copy', 'rename', 'delete'] as const
export type EventName = (typeof EVENTS)[number]

/** `before_upload`, `after_upload`, … */
export const HOOK_NAMES = EVENTS.flatMap((event) => [`before_${event}`, `after_${event}`] as const)
export type HookName = (typeof HOOK_NAMES)[number]

/** What a copy or a downloaded archive of the session lacks, in an event of the stream. */
export interface LeftOutEvent {
  from: 'download' | 'copy'
  count: number
  /** The first names. */
  names: string[]
}
