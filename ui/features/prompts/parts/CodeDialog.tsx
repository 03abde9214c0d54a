import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Logo } from '#ui/components/icons/Logo.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { LIMITS } from '#wire/limits.ts'
import { autofocus } from './autofocus.ts'
import './CodeDialog.css'

interface CodeDialogProps {
  title: string
  hint: string
  /** Why the previous code was refused. */
  problem?: string | undefined
  action: string
  isBusy?: boolean
  /** A step of a sign-in: the card takes the place of the page. */
  isPage?: boolean
  /** Content before the field. */
  children?: ReactNode
  onCode(code: string): void
  /** Absent: no passkey can be used instead. */
  onPasskey?: (() => void) | undefined
  onCancel(): void
}

/** A card that asks for a code of an authenticator app. */
export function CodeDialog(props: CodeDialogProps) {
  const { title, hint, problem, action, isBusy, isPage, children, onCode, onPasskey, onCancel } =
    props
  const { t } = useTranslation()
  const formId = useId()
  const [code, setCode] = useState('')

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (code.trim() === '') return
    onCode(code)
    setCode('')
  }

  return (
    <Dialog
      title={title}
      hint={hint}
      picture={isPage && <Logo />}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          {onPasskey && (
            <Button icon="lock-keyhole" disabled={isBusy} onClick={onPasskey}>
              {t('settings.passkeys.use')}
            </Button>
          )}
          <Button tone="accent" type="submit" form={formId} disabled={isBusy || code.trim() === ''}>
            {action}
          </Button>
        </>
      }
    >
      <form className="CodeDialog" id={formId} onSubmit={submit} noValidate>
        {children}
        <Field
          label={t('settings.secondFactor.code')}
          state={problem ? 'invalid' : undefined}
          hint={problem}
        >
          <Input
            name="code"
            value={code}
            dir="ltr"
            // Browsers and phones offer the code of their own password manager.
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={LIMITS.codeMax}
            ref={autofocus}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
