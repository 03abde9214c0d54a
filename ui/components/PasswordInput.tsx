import { type ComponentProps, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from './IconButton.tsx'
import { Input } from './Input.tsx'

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Said on purpose: a password manager must not offer one's own password for somebody's link. */
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** It is seen from the beginning: nobody has typed it. */
  shown?: boolean
}

/** A password that can be looked at. */
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
