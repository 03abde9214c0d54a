import { useEffect } from 'react'
import { listenToKeys } from '#ui/actions/keyboard.ts'
import { PanelStack } from '#ui/components/feedback/PanelStack.tsx'
import { ConnectionBanner } from '#ui/features/connection/ConnectionBanner.tsx'
import { ProgressPanel } from '#ui/features/progress/ProgressPanel.tsx'
import { PromptStack } from '#ui/features/prompts/PromptStack.tsx'
import { Toasts } from '#ui/features/toasts/Toasts.tsx'
import { awaitListing } from '#ui/state/folder/after-listing.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Music } from './Music.tsx'
import { Overlays } from './Overlays.tsx'
import { Router } from './Router.tsx'
import { useCountedUses } from './use-counted-uses.ts'
import { usePreloadedRename } from './use-preloaded-rename.ts'
import { useReceivedFiles } from './use-received-files.ts'
import { useTooltips } from './use-tooltips.ts'

/** The root component: the page, and the layers over every page. */
export function App() {
  useEffect(listenToKeys, [])
  useEffect(awaitListing, [])
  useTooltips()
  useReceivedFiles()
  useCountedUses()
  usePreloadedRename()
  return (
    <ErrorBoundary>
      <Router />
      <Music />
      <ConnectionBanner />
      <PanelStack>
        <ProgressPanel />
      </PanelStack>
      <Overlays />
      <PromptStack />
      <Toasts />
    </ErrorBoundary>
  )
}
