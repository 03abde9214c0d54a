import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from '../parts/autofocus.ts'
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
    <Dialog
      title={t('prompts.import.title')}
      hint={t('prompts.import.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="accent" type="submit" form={formId} disabled={!isComplete}>
            {t('prompts.import.act')}
          </Button>
        </>
      }
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
    </Dialog>
  )
}

/** Whether the text is the beginning of a URL, so that it is not called wrong while the user types. */
function mayBecomeUrl(text: string): boolean {
  return ['https://', 'http://'].some((start) => start.startsWith(text.toLowerCase()))
}
