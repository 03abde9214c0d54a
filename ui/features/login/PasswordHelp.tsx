import { useTranslation } from '#ui/i18n/i18n.ts'
import './PasswordHelp.css'

/** What the administrator answers to people who forgot their password. */
export function PasswordHelp({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <details className="PasswordHelp">
      <summary>{t('settings.access.passwordHelp.question')}</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}
