import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ROOT } from '#wire/paths.ts'
import type { PathAction } from '#wire/permissions.ts'
import type { AccessReason, AccessReasons } from '#wire/shapes/access.ts'
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

/** Each action, whether it is allowed, and sentences that say why. */
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
          {decision.reasons.map((reason) => (
            <span
              key={`${reason.by} ${reason.rule ?? reason.permission}`}
              className="AccessReasonsList__reason"
            >
              <Reason reason={reason} isAllowed={decision.isAllowed} of={reasons} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

interface ReasonProps {
  reason: AccessReason
  isAllowed: boolean
  of: AccessReasons
}

function Reason({
  reason: { by, permission, rule = 0, folder = ROOT },
  isAllowed,
  of: { rules, globalRules, username },
}: ReasonProps) {
  const { t } = useTranslation()
  const name = permission ? t(`settings.permissions.${permission}.title`) : ''
  if (by === 'rule') {
    const { path = '', regexp } = rules[rule - 1] ?? {}
    const key = isAllowed ? 'settings.why.allowedByRule' : 'settings.why.deniedByRule'
    // Each list of rules has its own numbers in the settings.
    const isGlobal = rule <= globalRules
    const number = isGlobal ? rule : rule - globalRules
    return (
      <>
        {t(key, { number })} <code dir="ltr">{regexp?.raw || path}</code>{' '}
        {isGlobal ? t('settings.why.ofAllUsers') : t('settings.why.ofUser', { name: username })}
      </>
    )
  }
  if (by === 'folder') {
    return (
      <>
        {t('settings.why.folder')} <code dir="ltr">{folder}</code>
      </>
    )
  }
  if (by === 'permission') {
    return t(isAllowed ? 'settings.why.hasPermission' : 'settings.why.lacksPermission', { name })
  }
  return t(`settings.why.${by}`, { name })
}
