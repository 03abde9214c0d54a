import { type FormEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import { changePassword } from '#ui/state/session/profile.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { formErrorOf } from '../rows/form-error.ts'
import { SettingFields, SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'

/**
 * A new password, typed twice (docs/specification.md 5).
 *
 * @param props.onChanged called after all sessions have ended and this window has signed in again
 */
export function PasswordGroup({ onChanged }: { onChanged(): void }) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isSame = password === again
  const state = again === '' ? undefined : isSame ? 'ok' : 'invalid'

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (password === '' || !isSame) return
    setBusy(true)
    setProblem(undefined)
    try {
      if (await changePassword(password)) {
        setPassword('')
        setAgain('')
        toastSuccess(t('settings.password.updated'))
        onChanged()
      }
    } catch (error) {
      setProblem(formErrorOf(error).text)
    }
    setBusy(false)
  }

  return (
    <form onSubmit={submit} noValidate>
      <SettingGroup title={t('settings.password.title')}>
        <SettingFields>
          <input
            hidden
            readOnly
            autoComplete="username"
            aria-label={t('login.username')}
            value={user?.username ?? ''}
          />
          <Field
            label={t('settings.password.new')}
            state={problem ? 'invalid' : state}
            hint={problem ?? t('login.passwordMin', { length: settings.PasswordLengthMin })}
          >
            <PasswordInput
              autoComplete="new-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                setProblem(undefined)
              }}
            />
          </Field>
          <Field
            label={t('settings.password.again')}
            state={state}
            hint={
              state && (
                <>
                  {isSame && <Icon name="check" />}
                  {t(isSame ? 'settings.password.same' : 'login.passwordsDontMatch')}
                </>
              )
            }
          >
            <PasswordInput
              autoComplete="new-password"
              value={again}
              onChange={(event) => setAgain(event.target.value)}
            />
          </Field>
        </SettingFields>
        <SettingFooter hint={t('settings.password.hint')}>
          <Button tone="accent" type="submit" disabled={isBusy || password === '' || !isSame}>
            {t('settings.password.act')}
          </Button>
        </SettingFooter>
      </SettingGroup>
    </form>
  )
}
