import { Notice } from '#ui/components/feedback/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'

/** Says that two names of a folder look the same, because one is stored in another form of Unicode. */
export function TwinNotice({ name }: { name: string }) {
  const { t } = useTranslation()
  return <Notice>{t('listing.twins', { name })}</Notice>
}
