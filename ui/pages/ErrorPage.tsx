import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { PageLayout } from '#ui/features/page-layout/PageLayout.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ErrorKind } from '#ui/lib/error-kind.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/403`, `/404`, `/500`. */
export function ErrorPage({ kind }: { kind: ErrorKind }) {
  const { t } = useTranslation()
  usePageTitle(t(`errors.${kind}.title`))
  return (
    <PageLayout top={<TopBar />}>
      <ErrorPanel kind={kind} />
    </PageLayout>
  )
}
