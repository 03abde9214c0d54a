import { type FormEvent, useRef } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Card } from '#ui/components/feedback/Card.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import './PdfPassword.css'

interface PdfPasswordProps {
  name: string
  /** Whether a wrong password was entered. */
  isWrong: boolean
  onAnswer(password: string): void
}

/** Asks for the password of an encrypted document. It does not leave the browser. */
export function PdfPassword({ name, isWrong, onAnswer }: PdfPasswordProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const password = input.current?.value
    if (password) onAnswer(password)
  }

  return (
    <div className="PdfPassword">
      <Card className="PdfPassword__card">
        <form className="PdfPassword__form" onSubmit={submit}>
          <Icon name="lock" />
          <h2 className="PdfPassword__name" dir="auto">
            {shownName(name).text}
          </h2>
          <p className="PdfPassword__hint">{t('documents.locked')}</p>
          {isWrong && <Notice tone="danger">{t('share.locked.wrong')}</Notice>}
          <Field label={t('login.password')}>
            <PasswordInput ref={input} autoComplete="off" autoFocus required />
          </Field>
          <Button tone="accent" type="submit" wide>
            {t('actions.open')}
          </Button>
        </form>
      </Card>
    </div>
  )
}
