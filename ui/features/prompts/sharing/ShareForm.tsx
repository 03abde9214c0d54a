import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Checkbox } from '#ui/components/fields/Checkbox.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { TextArea } from '#ui/components/fields/TextArea.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { generatePassword } from '#ui/lib/accounts/generate-password.ts'
import { session } from '#ui/state/session/session.ts'
import { type NewShare, shareLifetimeSec } from '#wire/api/share.ts'
import { LIMITS } from '#wire/limits.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import { type Lifetime, LifetimeField } from './LifetimeField.tsx'
import './ShareForm.css'

interface ShareFormProps {
  title: string
  hint: string
  /** The label of the submit button. */
  action: string
  /**
   * Creates the shares with these options.
   *
   * @throws Fault, which the form shows
   */
  onCreate(options: NewShare): Promise<void>
  onCancel(): void
}

/** Asks for the options of new shares: duration, password and message are optional (docs/specification.md 5). */
export function ShareForm({ title, hint, action, onCreate, onCancel }: ShareFormProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [lifetime, setLifetime] = useState<Lifetime>({ amount: '', unit: 'days' })
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState('')
  const [showOwner, setShowOwner] = useState(true)
  /** How often a password was generated: a generated one is shown as plain text. */
  const [generated, setGenerated] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { amount, unit } = lifetime
  const lifetimeSec = shareLifetimeSec(amount, unit)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (lifetimeSec === undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      const lasts = lifetimeSec > 0 && { expires: amount.trim(), unit }
      const secret = password.trim()
      const trimmedMessage = message.trim()
      await onCreate({
        ...lasts,
        ...(secret && { password: secret }),
        ...(trimmedMessage && { message: trimmedMessage }),
        showOwner,
      })
    } catch (error) {
      setProblem(faultText(error))
      setBusy(false)
    }
  }

  return (
    <ConfirmCard
      title={title}
      hint={hint}
      action={action}
      icon="link"
      form={formId}
      isFirst
      disabled={isBusy || lifetimeSec === undefined}
      onCancel={onCancel}
    >
      <form className="ShareForm" id={formId} onSubmit={submit} autoComplete="off" noValidate>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <LifetimeField value={lifetime} onChange={setLifetime} />
        <div className="ShareForm__password">
          <Field label={t('share.optionalPassword')}>
            <PasswordInput
              key={generated}
              isInitiallyVisible={generated > 0}
              value={password}
              autoComplete="new-password"
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Button
            onClick={() => {
              setPassword(generatePassword())
              setGenerated(generated + 1)
            }}
          >
            {t('share.generate')}
          </Button>
        </div>
        <Field label={t('share.optionalMessage')} hint={message !== '' && t('share.messageHint')}>
          <TextArea
            value={message}
            rows={1}
            maxLength={LIMITS.shareMessageMax}
            onChange={(event) => setMessage(event.target.value)}
          />
        </Field>
        {session.user && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a child
          <label className="ShareForm__owner">
            <Checkbox checked={showOwner} onChange={() => setShowOwner(!showOwner)} />
            {t('share.showOwner', { name: session.user.username })}
          </label>
        )}
      </form>
    </ConfirmCard>
  )
}
