import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx'
import './RecoveryCodesCard.css'

/** Shows new recovery codes. The server cannot show them again, so a key that was meant for something else does not close it. */
export function RecoveryCodesCard({ question, onCancel }: CardProps<'recoveryCodes'>) {
  const { t } = useTranslation()
  const { codes } = question
  return (
    <ShownOnceDialog
      title={t('settings.secondFactor.codes')}
      hint={t('settings.secondFactor.codesHint')}
      text={codes.join('\n')}
      action={t('settings.secondFactor.copyCodes')}
      copied={t('settings.secondFactor.codesCopied')}
      close={t('settings.secondFactor.saved')}
      onClose={onCancel}
    >
      <ul className="RecoveryCodesCard">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnceDialog>
  )
}
