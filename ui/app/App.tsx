import { useEffect } from 'react'
import { listenToKeys } from '#ui/actions/keyboard.ts'
import { PanelStack } from '#ui/components/PanelStack.tsx'
import { ConnectionBanner } from '#ui/features/connection/ConnectionBanner.tsx'
import { JobsPanel } from '#ui/features/jobs/JobsPanel.tsx'
import { PromptStack } from '#ui/features/prompts/PromptStack.tsx'
import { Toasts } from '#ui/features/toasts/Toasts.tsx'
import { UploadPanel } from '#ui/features/uploads/UploadPanel.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Overlays } from './Overlays.tsx'
import { Router } from './Router.tsx'
import { useSharedFiles } from './use-shared-files.ts'
import { useTooltips } from './use-tooltips.ts'

/** The whole interface: the page, and what lies over every page. */
export function App() {
  useEffect(listenToKeys, [])
  useTooltips()
  useSharedFiles()
  return (
    <ErrorBoundary>
      <Router />
      <ConnectionBanner />
      <PanelStack>
        <JobsPanel />
        <UploadPanel />
      </PanelStack>
      <Overlays />
      <PromptStack />
      <Toasts />
    </ErrorBoundary>
  )
}
