import { type FormEvent, useId, useState } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from '../parts/autofocus.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks for the URL of a file that the server downloads into the folder. */
export function ImportCard({ onAnswer, onCancel }: CardProps<'import'>) {
  const { t } = useTranslation()
  const formId = useId()
  const [typed, setTyped] = useState('')
  const url = typed.trim()
  const isComplete = /^https?:\/\/[^/]/i.test(url) && URL.canParse(url)
  const isInvalid = !isComplete && !mayBecomeUrl(url)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete) onAnswer(url)
  }

  return (
    <ConfirmCard
      title={t('prompts.import.title')}
      hint={t('prompts.import.hint')}
      action={t('prompts.import.act')}
      form={formId}
      disabled={!isComplete}
      onCancel={onCancel}
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          label={t('prompts.import.label')}
          state={isInvalid ? 'invalid' : undefined}
          hint={isInvalid ? t('prompts.import.wrong') : undefined}
        >
          <Input
            value={typed}
            type="url"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="done"
            ref={autofocus}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </form>
    </ConfirmCard>
  )
}

/** Whether the text is the beginning of a URL, so that it is not called wrong while the user types. */
function mayBecomeUrl(text: string): boolean {
  return ['https://', 'http://'].some((start) => start.startsWith(text.toLowerCase()))
}
