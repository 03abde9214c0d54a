import { Suspense } from 'react'
import { lazyPart } from '#ui/components/lazy-part.tsx'
import { MissingPart, type MissingPartProps } from '#ui/components/MissingPart.tsx'
import { Frame } from '#ui/features/frame/Frame.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import type { Screen } from '#ui/pages/settings/screen.ts'

/** The settings are loaded on first use. */
const SettingsPage = lazyPart(
  async () => (await import('#ui/pages/settings/SettingsPage.tsx')).SettingsPage,
  Missing,
)

/** A screen of the settings; the frame is shown while the code loads. */
export function Settings({ screen }: { screen: Screen }) {
  return (
    <Suspense fallback={<Frame top={<TopBar />}>{null}</Frame>}>
      <SettingsPage screen={screen} />
    </Suspense>
  )
}

function Missing(props: MissingPartProps) {
  return (
    <Frame top={<TopBar />}>
      <MissingPart {...props} />
    </Frame>
  )
}
