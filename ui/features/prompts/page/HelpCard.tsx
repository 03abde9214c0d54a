import { useState } from 'react'
import { isPossible } from '#ui/actions/possible.ts'
import { actions } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Kbd } from '#ui/components/icons/Kbd.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import './HelpCard.css'

/**
 * What a click, a touch or a key does in a listing; the keys of actions are not among them. `does` is the last part of
 * the key of the message that describes it.
 */
const GESTURES = [
  { keys: ['Space'], does: 'space' },
  { keys: ['Ctrl+Space'], does: 'ctrlSpace' },
  { keys: ['Enter'], does: 'enter' },
  { gesture: 'click', does: 'click' },
  { gesture: 'doubleClick', does: 'doubleClick' },
  { keys: ['Ctrl'], gesture: 'click', does: 'ctrlClick' },
  { keys: ['Shift'], gesture: 'click', does: 'shiftClick' },
  { gesture: 'longPress', does: 'longPress' },
] as const satisfies readonly { keys?: readonly string[]; gesture?: string; does: string }[]

/**
 * Lists the actions that have a key and that this user can carry out on some page, each with its first key, and then
 * `GESTURES`.
 */
export function HelpCard({ onCancel }: CardProps<'help'>) {
  const { t } = useTranslation()
  const [shown] = useState(() => actions.filter((action) => isPossible(action, actionContext())))
  return (
    <Dialog
      title={t('prompts.help.title')}
      wide
      onClose={onCancel}
      actions={
        <Button ref={autofocus} onClick={onCancel}>
          {t('common.close')}
        </Button>
      }
    >
      <section
        className="HelpCard"
        aria-label={t('prompts.help.title')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
        tabIndex={0}
      >
        <dl className="HelpCard__rows">
          {shown.map(
            ({ id, label, keys }) =>
              keys?.[0] && (
                <div key={id} className="HelpCard__row">
                  <dt>{t(label)}</dt>
                  <dd>
                    <Kbd keys={keys[0]} />
                  </dd>
                </div>
              ),
          )}
          {GESTURES.map((row) => (
            <div key={row.does} className="HelpCard__row">
              <dt>{t(`prompts.help.${row.does}`)}</dt>
              <dd>
                {'keys' in row && row.keys.map((key) => <Kbd key={key} keys={key} />)}
                {'gesture' in row && <span>{t(`prompts.help.gestures.${row.gesture}`)}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Dialog>
  )
}
