import { Suspense } from 'react'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { MissingPart, type MissingPartProps } from '#ui/components/feedback/MissingPart.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import { PageLayout } from '#ui/features/page-layout/PageLayout.tsx'
import type { Screen } from '#ui/pages/settings/screen.ts'

/** The settings are loaded on first use. */
const SettingsPage = lazyPart(
  async () => (await import('#ui/pages/settings/SettingsPage.tsx')).SettingsPage,
  Missing,
)

/** A screen of the settings; the frame is shown while the code loads. */
export function Settings({ screen }: { screen: Screen }) {
  return (
    <Suspense fallback={<PageLayout top={<TopBar />}>{null}</PageLayout>}>
      <SettingsPage screen={screen} />
    </Suspense>
  )
}

function Missing(props: MissingPartProps) {
  return (
    <PageLayout top={<TopBar />}>
      <MissingPart {...props} />
    </PageLayout>
  )
}
