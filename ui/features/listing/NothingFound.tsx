import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { closeFilter } from '#ui/state/folder/listing.ts'

/** Shown if no name in the folder matches the filter. */
export function NothingFound({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <Empty
      picture={<Icon name="list-filter" />}
      title={t('listing.filter.none', { text })}
      hint={t('listing.filter.noneHint')}
      actions={<Button onClick={closeFilter}>{t('listing.filter.showAll')}</Button>}
    />
  )
}
