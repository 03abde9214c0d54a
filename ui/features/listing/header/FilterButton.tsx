import { useSnapshot } from 'valtio'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys, keyLabel } from '#ui/lib/gestures/keys.ts'
import { listing } from '#ui/state/folder/listing.ts'

/** The button in the header of the listing that opens the filter. */
export function FilterButton() {
  const { t } = useTranslation()
  const { filter } = useSnapshot(listing)
  const action = actionOf('filter')
  const [keys = ''] = action.keys ?? []
  const label = t(action.label)
  return (
    <IconButton
      icon={action.icon}
      size="s"
      label={label}
      title={`${label} (${keyLabel(keys)})`}
      aria-keyshortcuts={ariaKeys(keys)}
      pressed={filter !== null}
      onClick={() => void perform(action)}
    />
  )
}
