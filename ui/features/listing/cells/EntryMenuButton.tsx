import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Entry } from '#wire/api/entry.ts'

/**
 * The button that opens the menu of an entry. `use-gestures.ts` handles its click, by `data-more`. Keyboards have a key for
 * the menu.
 */
export function EntryMenuButton({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  return (
    <IconButton
      icon="ellipsis"
      size="s"
      label={t('listing.more', { name: entry.name })}
      aria-haspopup="menu"
      tabIndex={-1}
      data-more
    />
  )
}
