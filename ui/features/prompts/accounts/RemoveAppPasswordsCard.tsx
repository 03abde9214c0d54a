import { formatParts } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Confirms that app passwords are removed, which cannot be undone; or offers it after a change of the password. */
export function RemoveAppPasswordsCard({
  question: { appPasswords, isOffer = false },
  onAnswer,
  onCancel,
}: CardProps<'removeAppPasswords'>) {
  const { t } = useTranslation()
  const [first] = appPasswords
  const only = appPasswords.length === 1 && first && !isOffer ? first : undefined
  const title = only
    ? t('settings.appPasswords.removeTitle', { name: only.name })
    : t(`settings.appPasswords.${isOffer ? 'stillValid' : 'removeAllTitle'}`)
  return (
    <ConfirmCard
      title={title}
      hint={t(`settings.appPasswords.${isOffer ? 'stillValidHint' : 'removeHint'}`)}
      action={t(only ? 'settings.appPasswords.remove' : 'settings.appPasswords.removeAll')}
      cancel={t(isOffer ? 'settings.appPasswords.keep' : 'common.cancel')}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    >
      {!only && <p>{formatParts(appPasswords.map(({ name }) => name))}</p>}
    </ConfirmCard>
  )
}
