import { ErrorPanel } from '#ui/features/errors/ErrorPanel.tsx'
import { Frame } from '#ui/features/frame/Frame.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Trouble } from '#ui/lib/trouble.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/403`, `/404`, `/500`. */
export function ErrorPage({ trouble }: { trouble: Trouble }) {
  const { t } = useTranslation()
  usePageTitle(t(`errors.${trouble}.title`))
  return (
    <Frame top={<TopBar />}>
      <ErrorPanel trouble={trouble} />
    </Frame>
  )
}
