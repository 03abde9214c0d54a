import { useMemo, useState } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { ArchiveView } from '#ui/features/archive/ArchiveView.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { insideOf } from '#ui/lib/urls/archive-urls.ts'
import { useActionContext, useViewerContext } from '#ui/state/action-context.ts'
import { ownArchive, sharedArchive } from '#ui/state/file/archive-source.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import { closeQuickLook } from '#ui/state/file/quick-look.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath, type RequestPath, ROOT } from '#wire/paths.ts'

const ArchiveText = lazyPart(async () => (await import('./ArchiveText.tsx')).ArchiveText)

const TOP: RequestPath = { path: ROOT, asFolder: true }

/** An archive, shown as a read-only folder. On its page the URL contains the path in the archive; in Quick Look not. */
export function OpenedArchive({ file }: { file: Entry }) {
  const { isQuickLook } = useViewerContext()
  const search = useSearch()
  const [shown, setShown] = useState(TOP)
  const { path, name, modified, size } = file
  const { share } = useFileSource()
  const source = useMemo(() => {
    const archive = { path, name, modified, size }
    return share ? sharedArchive(share, parsePath(path), archive) : ownArchive(archive)
  }, [share, path, name, modified, size])
  return (
    <ArchiveView
      source={source}
      location={isQuickLook ? shown : insideOf(search)}
      onGo={isQuickLook ? setShown : undefined}
      actions={<ExtractButton />}
      Text={ArchiveText}
    />
  )
}

/** Extracts the archive. The question is shown over the listing, in which the archive is selected. */
function ExtractButton() {
  const { t } = useTranslation()
  const page = useActionContext()
  const { isQuickLook } = useViewerContext()
  const action = actionOf('extract')
  if (!action.when(page)) return null
  function extract(): void {
    if (isQuickLook) closeQuickLook()
    void perform(action)
  }
  return (
    <Button icon={action.icon} onClick={extract}>
      {t(action.label)}
    </Button>
  )
}
