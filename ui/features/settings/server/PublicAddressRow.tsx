import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { SettingRow } from '../rows/SettingRow.tsx'

interface PublicAddressRowProps {
  value: string
  /** Why the server refused the value. */
  problem: string | undefined
  onChange(address: string): void
}

/** The address at which browsers reach the server. That of this page is offered, and never taken without a click. */
export function PublicAddressRow({ value, problem, onChange }: PublicAddressRowProps) {
  const { t } = useTranslation()
  // Passkeys need a name, and every browser knows this one.
  const own = location.origin.replace(/127\.0\.0\.1|\[::1\]/, 'localhost') + withBase('')
  return (
    <SettingRow
      title={t('settings.access.publicAddress.title')}
      hint={t('settings.access.publicAddress.hint')}
      problem={problem}
    >
      {(control) => (
        <Input
          {...control}
          type="text"
          inputMode="url"
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://files.example.org"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          after={
            <IconButton
              icon="link"
              size="s"
              label={t('settings.access.publicAddress.use', { address: own })}
              disabled={value === own}
              onClick={() => onChange(own)}
            />
          }
        />
      )}
    </SettingRow>
  )
}
