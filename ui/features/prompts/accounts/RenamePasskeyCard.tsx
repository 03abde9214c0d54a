import { type FormEvent, useId, useState } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { LIMITS } from '#wire/limits.ts'
import { autofocus } from '../parts/autofocus.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks for the name of a passkey, by which the user recognizes it. */
export function RenamePasskeyCard({ question, onAnswer, onCancel }: CardProps<'renamePasskey'>) {
  const { t } = useTranslation()
  const formId = useId()
  const [name, setName] = useState(question.current)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (name.trim() === question.current) onCancel()
    else if (name.trim() !== '') onAnswer(name.trim())
  }

  return (
    <ConfirmCard
      title={t('settings.passkeys.rename')}
      action={t('settings.save')}
      form={formId}
      disabled={name.trim() === ''}
      onCancel={onCancel}
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field label={t('prompts.name.label')}>
          <Input
            value={name}
            dir="auto"
            autoComplete="off"
            enterKeyHint="done"
            maxLength={LIMITS.passkeyNameMax}
            ref={autofocus}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </form>
    </ConfirmCard>
  )
}
