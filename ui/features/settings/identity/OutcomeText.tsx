import { formatParts } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { identityProblemText } from '#ui/i18n/identity-problems.ts'
import type { LoginOutcome } from '#wire/api/identity.ts'

/** What a log-in would do: the user, the right of an administrator, and the groups. */
export function OutcomeText({ outcome }: { outcome: LoginOutcome }) {
  const { t } = useTranslation()
  const { username, isNew, refusal, adminReason, groups } = outcome
  const sentence =
    refusal === ''
      ? t(isNew ? 'settings.identity.make' : 'settings.identity.user', { name: username })
      : t('settings.identity.refuse', { reason: identityProblemText(refusal) })
  return (
    <>
      <p className="TestResult__outcome">{sentence}</p>
      {refusal === '' && <p>{t(`settings.identity.admin.${adminReason}`)}</p>}
      {groups && <p>{t('settings.identity.groups', { list: formatParts(groups) || '–' })}</p>}
    </>
  )
}
