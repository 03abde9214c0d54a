import { type ComponentProps, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Input } from './Input.tsx'

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Required, so that a password manager does not fill in the user's own password as the password of a share. */
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** Whether the password is visible at first, for a generated password. */
  isInitiallyVisible?: boolean
}

/** A password field with a button that shows the password. */
export function PasswordInput({ isInitiallyVisible = false, ...native }: PasswordInputProps) {
  const { t } = useTranslation()
  const [isVisible, setVisible] = useState(isInitiallyVisible)
  return (
    <Input
      // A visible password is a text: phones would begin it with a capital letter, and spell checkers may send it away.
      autoCapitalize="none"
      spellCheck={false}
      {...native}
      type={isVisible ? 'text' : 'password'}
      after={
        <IconButton
          icon={isVisible ? 'eye-off' : 'eye'}
          size="s"
          label={t(isVisible ? 'login.hidePassword' : 'login.showPassword')}
          onClick={() => setVisible(!isVisible)}
        />
      }
    />
  )
}
