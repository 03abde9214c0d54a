import { IconButton } from '#ui/components/IconButton.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Entry } from '#wire/entry.ts'

/** Opens the menu of an entry; the keyboard has its own key for that. */
export function MoreDots({ entry }: { entry: Entry }) {
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
