import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from '../parts/autofocus.ts'
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
    <Dialog
      title={t('prompts.goToLine.title')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="accent" type="submit" form={formId} disabled={isInvalid}>
            {t('prompts.goToLine.act')}
          </Button>
        </>
      }
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
    </Dialog>
  )
}
