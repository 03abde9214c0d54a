import { lazy, Suspense } from 'react'
import { Frame } from '#ui/features/frame/Frame.tsx'
import { TopBar } from '#ui/features/header/TopBar.tsx'
import type { Screen } from '#ui/pages/settings/screen.ts'

/** The settings arrive when they are used. */
const SettingsPage = lazy(async () => {
  const { SettingsPage: page } = await import('#ui/pages/settings/SettingsPage.tsx')
  return { default: page }
})

/** A screen of the settings; the frame stands while its code is on the way. */
export function Settings({ screen }: { screen: Screen }) {
  return (
    <Suspense fallback={<Frame top={<TopBar />}>{null}</Frame>}>
      <SettingsPage screen={screen} />
    </Suspense>
  )
}
