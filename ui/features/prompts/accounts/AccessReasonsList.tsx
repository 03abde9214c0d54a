import '#ui/i18n/settings-messages.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { PathAction } from '#wire/permissions.ts'
import type { AccessDecision, AccessReasons } from '#wire/shapes/access.ts'
import './AccessReasonsList.css'

/** The texts of actions. Most have the name of their permission. */
const ACTION_TEXTS = {
  look: 'settings.why.look',
  download: 'settings.permissions.download.title',
  create: 'settings.permissions.create.title',
  overwrite: 'settings.why.overwrite',
  modify: 'settings.permissions.modify.title',
  delete: 'settings.permissions.delete.title',
  rename: 'settings.permissions.rename.title',
  share: 'settings.permissions.share.title',
} as const satisfies Record<PathAction, string>

/** Each action, whether it is allowed, and a sentence that says why. */
export function AccessReasonsList({ reasons }: { reasons: AccessReasons }) {
  const { t } = useTranslation()
  return (
    <ul className="AccessReasonsList">
      {reasons.decisions.map((decision) => (
        <li
          key={decision.action}
          className="AccessReasonsList__row"
          data-allowed={decision.isAllowed || undefined}
        >
          <Icon name={decision.isAllowed ? 'check' : 'x'} />
          <span className="AccessReasonsList__action">{t(ACTION_TEXTS[decision.action])}</span>
          <span className="AccessReasonsList__answer">
            {t(decision.isAllowed ? 'settings.why.yes' : 'settings.why.no')}
          </span>
          <span className="AccessReasonsList__reason">
            <Reason decision={decision} rules={reasons.rules} />
          </span>
        </li>
      ))}
    </ul>
  )
}

interface ReasonProps {
  decision: AccessDecision
  rules: AccessReasons['rules']
}

function Reason({ decision: { by, isAllowed, permission, rule = 0 }, rules }: ReasonProps) {
  const { t } = useTranslation()
  const name = permission ? t(`settings.permissions.${permission}.title`) : ''
  if (by === 'rule') {
    const { path = '', regexp } = rules[rule - 1] ?? {}
    const key = isAllowed ? 'settings.why.allowedByRule' : 'settings.why.deniedByRule'
    return (
      <>
        {t(key, { number: rule })} <code dir="ltr">{regexp?.raw || path}</code>
      </>
    )
  }
  if (by === 'permission') {
    return t(isAllowed ? 'settings.why.hasPermission' : 'settings.why.lacksPermission', { name })
  }
  return t(`settings.why.${by}`, { name })
}
