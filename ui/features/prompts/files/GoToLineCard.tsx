import { type FormEvent, useId, useState } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from '../parts/autofocus.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks for a line number of the edited text. */
export function GoToLineCard({ question, onAnswer, onCancel }: CardProps<'goToLine'>) {
  const { t } = useTranslation()
  const formId = useId()
  const { lines, current } = question
  const [typed, setTyped] = useState(String(current))
  const line = Number(typed)
  const isInvalid = !Number.isInteger(line) || line < 1 || line > lines

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isInvalid) onAnswer(line)
  }

  return (
    <ConfirmCard
      title={t('prompts.goToLine.title')}
      action={t('prompts.goToLine.act')}
      form={formId}
      disabled={isInvalid}
      onCancel={onCancel}
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          label={t('prompts.goToLine.line')}
          state={isInvalid ? 'invalid' : undefined}
          hint={t('prompts.goToLine.hint', { value: formatNumber(lines) })}
        >
          <Input
            value={typed}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="go"
            ref={autofocus}
            onChange={(event) => setTyped(event.target.value.trim())}
            onFocus={(event) => event.target.select()}
          />
        </Field>
      </form>
    </ConfirmCard>
  )
}
