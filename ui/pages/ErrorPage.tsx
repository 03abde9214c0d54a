import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { Frame } from '#ui/features/frame/Frame.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ErrorKind } from '#ui/lib/error-kind.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/403`, `/404`, `/500`. */
export function ErrorPage({ kind }: { kind: ErrorKind }) {
  const { t } = useTranslation()
  usePageTitle(t(`errors.${kind}.title`))
  return (
    <Frame top={<TopBar />}>
      <ErrorPanel kind={kind} />
    </Frame>
  )
}
