import { useState } from 'react'
import { isPossible } from '#ui/actions/possible.ts'
import { actionOf } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Kbd } from '#ui/components/icons/Kbd.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW, TOUCH } from '#ui/lib/page/media.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import { type HelpGroup as Group, HELP_GROUPS, TOUCH_GESTURES } from './help-groups.ts'
import './HelpCard.css'

/**
 * The keys of actions that this user can carry out on some page, each with its first key, and what the pointer does, in
 * groups. On a touch screen the gestures come first, and on a phone, which has no keyboard, they are all.
 */
export function HelpCard({ onCancel }: CardProps<'help'>) {
  const { t } = useTranslation()
  const isTouch = useMedia(TOUCH)
  const isNarrow = useMedia(NARROW)
  const title = t(isTouch && isNarrow ? 'prompts.help.titleTouch' : 'prompts.help.title')
  return (
    <Dialog
      title={title}
      wide={!(isTouch && isNarrow)}
      onClose={onCancel}
      actions={
        <Button ref={autofocus} onClick={onCancel}>
          {t('common.close')}
        </Button>
      }
    >
      <section
        className="HelpCard"
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
        tabIndex={0}
      >
        {isTouch && <TouchGestures hasTitle={!isNarrow} />}
        {!(isTouch && isNarrow) &&
          HELP_GROUPS.map((group) => <HelpGroup key={group.title} group={group} />)}
      </section>
    </Dialog>
  )
}

function TouchGestures({ hasTitle }: { hasTitle: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="HelpCard__group">
      {hasTitle && <h3 className="HelpCard__title">{t('prompts.help.titleTouch')}</h3>}
      <dl>
        {TOUCH_GESTURES.map(({ gesture, label }) => (
          <div key={gesture} className="HelpCard__row">
            <dt>{t(label)}</dt>
            <dd>{t(`prompts.help.gestures.${gesture}`)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function HelpGroup({ group }: { group: Group }) {
  const { t } = useTranslation()
  const [shown] = useState(() =>
    group.actions.map(actionOf).filter((action) => isPossible(action, actionContext())),
  )
  if (shown.length + group.gestures.length === 0) return null
  return (
    <div className="HelpCard__group">
      <h3 className="HelpCard__title">{t(group.title)}</h3>
      <dl>
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
        {group.gestures.map(({ keys, gesture, does }) => (
          <div key={does} className="HelpCard__row">
            <dt>{t(`prompts.help.${does}`)}</dt>
            <dd>
              {keys?.map((key) => (
                <Kbd key={key} keys={key} />
              ))}
              {gesture && <span>{t(`prompts.help.gestures.${gesture}`)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
