/** What a person can do, as data. */
import type { MessageKey } from '#ui/i18n/i18n.ts'
import type { IconName } from '#ui/lib/icons.ts'
import type { ActionContext } from '#ui/state/action-context.ts'

export interface Action {
  id: string
  /** A message key; it may use `count`, the number of targets. */
  label: MessageKey
  icon: IconName
  /** The icon points somewhere and turns round in right-to-left languages. */
  mirror?: boolean
  /** Combinations as `#ui/lib/keys.ts` spells them; the first is the one that is shown. */
  keys?: readonly string[]
  /** Its keys mean it while text is written in the editor too. */
  inText?: boolean
  danger?: boolean
  /** Whether it can be done now. What cannot is not shown. */
  when(context: ActionContext): boolean
  /** For what is switched on and off. */
  pressed?(context: ActionContext): boolean
  /** May throw a Fault: it then becomes a message. */
  run(context: ActionContext): void | Promise<void>
}
