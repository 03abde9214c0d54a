import { useState } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { settings } from '#ui/state/session/settings.ts'

/** A new password, typed twice: the form cannot be submitted until both are the same. */
export function ConfirmedPassword() {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const differs = again !== '' && again !== password
  return (
    <>
      <Field
        label={t('login.password')}
        hint={t('login.passwordMin', { length: settings.PasswordLengthMin })}
      >
        <PasswordInput
          name="password"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Field
        label={t('login.confirmation')}
        state={again === '' ? undefined : differs ? 'invalid' : 'ok'}
        hint={differs && t('login.passwordsDontMatch')}
      >
        <PasswordInput
          name="confirmation"
          autoComplete="new-password"
          required
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
      </Field>
    </>
  )
}
