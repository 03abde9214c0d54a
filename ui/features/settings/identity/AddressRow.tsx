import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { SettingRow } from '../rows/SettingRow.tsx'

/** An address to enter at the provider, which can be copied. */
export function AddressRow({
  title,
  hint,
  address,
}: {
  title: string
  hint?: string
  address: string
}) {
  const { t } = useTranslation()
  return (
    <SettingRow title={title} hint={hint}>
      {(control) => (
        <Input
          {...control}
          readOnly
          dir="ltr"
          value={address}
          onFocus={(event) => event.target.select()}
          after={
            <IconButton
              icon="copy"
              size="s"
              label={`${t('actions.copy')}: ${title}`}
              onClick={() => void copy(address)}
            />
          }
        />
      )}
    </SettingRow>
  )
}
