import { type ComponentProps, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from './IconButton.tsx'
import { Input } from './Input.tsx'

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Required: a password manager must not offer one's own password for the password of a share. */
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** Whether it is shown as plain text at first, for a generated password. */
  shown?: boolean
}

/** A password field with a button that shows the password. */
export function PasswordInput({ shown = false, ...native }: PasswordInputProps) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(shown)
  return (
    <Input
      {...native}
      type={visible ? 'text' : 'password'}
      after={
        <IconButton
          icon={visible ? 'eye-off' : 'eye'}
          size="s"
          label={t(visible ? 'login.hidePassword' : 'login.showPassword')}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  )
}
