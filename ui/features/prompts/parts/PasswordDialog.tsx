import { type FormEvent, type ReactNode, useId, useRef } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { autofocus } from './autofocus.ts'
import { ConfirmCard } from './ConfirmCard.tsx'
import './PasswordDialog.css'

interface PasswordDialogProps {
  title: string
  hint: string
  /** The name of the account; password managers read it. */
  username: string
  label: string
  /** Why the previous password was refused. */
  problem?: string | undefined
  action: string
  tone?: 'accent' | 'danger'
  cancel: string
  isBusy?: boolean
  /** Content before and after the field. */
  children?: ReactNode
  onPassword(password: string): void
  onCancel(): void
}

/** A card that asks for one's own password. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, hint, username, label, problem, action, tone = 'accent', cancel, isBusy } = props
  const { t } = useTranslation()
  const formId = useId()
  const input = useRef<HTMLInputElement | null>(null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const password = input.current?.value ?? ''
    if (password !== '') props.onPassword(password)
  }

  return (
    <ConfirmCard
      title={title}
      hint={hint}
      action={action}
      cancel={cancel}
      tone={tone}
      form={formId}
      disabled={isBusy}
      onCancel={props.onCancel}
    >
      <form className="PasswordDialog" id={formId} onSubmit={submit} noValidate>
        <input
          hidden
          readOnly
          autoComplete="username"
          aria-label={t('login.username')}
          value={username}
        />
        {props.children}
        <Field label={label} state={problem ? 'invalid' : undefined} hint={problem}>
          <PasswordInput
            autoComplete="current-password"
            ref={(element: HTMLInputElement | null) => {
              input.current = element
              autofocus(element)
            }}
          />
        </Field>
      </form>
    </ConfirmCard>
  )
}
