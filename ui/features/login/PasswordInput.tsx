import { useState } from 'react'
import { IconButton } from '#ui/components/IconButton.tsx'
import { Input } from '#ui/components/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'

interface PasswordInputProps {
  name: string
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be looked at. */
export function PasswordInput({ name, autoComplete }: PasswordInputProps) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(false)
  return (
    <Input
      name={name}
      type={visible ? 'text' : 'password'}
      autoComplete={autoComplete}
      required
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
