/** The types of actions. */
import type { MessageKey } from '#ui/i18n/i18n.ts'
import type { IconName } from '#ui/lib/icons.ts'
import type { ActionContext } from '#ui/state/action-context.ts'

export interface Action {
  id: string
  /** A message key; it may use `count`, the number of targets. */
  label: MessageKey
  /** Further values of the label. */
  labelValues?(): Record<string, string>
  icon: IconName
  /** Whether the icon has a direction and is mirrored in right-to-left languages. */
  mirror?: boolean
  /** Combinations in the spelling of `#ui/lib/gestures/keys.ts`; the first one is displayed. */
  keys?: readonly string[]
  /** Whether its keys also work while text is edited. */
  inText?: boolean
  danger?: boolean
  /** Whether its keys apply to the entry that the keyboard focused if no entry is selected. */
  onFocused?: boolean
  /** Whether the action is available. An unavailable action is not shown. */
  when(context: ActionContext): boolean
  /** For toggles: whether it is on. */
  pressed?(context: ActionContext): boolean
  /** May throw a Fault, which becomes a message. */
  run(context: ActionContext): void | Promise<void>
}
