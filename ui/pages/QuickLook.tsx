import { type KeyboardEvent, type SyntheticEvent, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { findAction } from '#ui/actions/keyboard.ts'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useSwipe } from '#ui/components/hooks/use-swipe.ts'
import { Name } from '#ui/components/icons/Name.tsx'
import { useLayer } from '#ui/components/overlays/use-layer.ts'
import { useModal } from '#ui/components/overlays/use-modal.ts'
import { FolderCard } from '#ui/features/preview/FolderCard.tsx'
import { StepButtons } from '#ui/features/preview/StepButtons.tsx'
import { formatDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Viewer, viewerOf } from '#ui/lib/entries/viewers.ts'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { closeQuickLook, quickLook } from '#ui/state/file/quick-look.ts'
import type { Entry } from '#wire/api/entry.ts'
import { OpenedFile } from './OpenedFile.tsx'
import './QuickLook.css'

/** Actions whose keys work here as on the page of a file. */
const ACTIONS = [
  'zoomIn',
  'zoomOut',
  'fitPicture',
  'originalSize',
  'rotatePicture',
  'pictureFacts',
  'fullScreen',
  'inFull',
  'undo',
  'redo',
]

/**
 * Shows one entry over the listing. The arrow keys step through entries, Space and Escape close, Enter opens the
 * entry's page.
 */
export function QuickLook() {
  const { t } = useTranslation()
  const { entry } = useSnapshot(quickLook)
  useLayer(closeQuickLook)
  const dialog = useModal()
  const swipe = useSwipe((direction) => void perform(actionOf(direction)))

  // The dialog has the focus and not its first button, so that Space closes it and does not press the button.
  useEffect(() => dialog.current?.focus(), [dialog])

  if (!entry) return null
  // The snapshot of a `ref` is the entry itself.
  const shown = entry as Entry
  const viewer = quickLookViewerOf(shown)
  const open = () => goTo(filesUrl(shown.path, shown.isDir))

  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    closeQuickLook()
  }

  return (
    <dialog
      ref={dialog}
      className="QuickLook"
      aria-label={t('quickLook.title', { name: shown.name })}
      tabIndex={-1}
      onCancel={cancel}
      onKeyDown={(event) => onKeyDown(event, open)}
    >
      <header className="QuickLook__head">
        <h2 className="QuickLook__title">
          <Name>{shown.name}</Name>
          <span className="QuickLook__facts wide-only">{summaryOf(shown)}</span>
        </h2>
        <StepButtons />
        <Button tone="quiet" onClick={open}>
          {t('actions.open')}
        </Button>
        <IconButton icon="x" label={t('common.close')} onClick={closeQuickLook} />
      </header>
      <div
        className="QuickLook__stage"
        key={shown.path}
        data-swiped={viewer === 'text' || undefined}
        {...(viewer === 'text' && swipe)}
      >
        <QuickLookContent entry={shown} viewer={viewer} />
      </div>
    </dialog>
  )
}

/** The component that shows an entry: a viewer of files, or one for folders or plain text. */
type QuickLookViewer = Viewer | 'folder'

function quickLookViewerOf(entry: Entry): QuickLookViewer {
  if (entry.isDir) return 'folder'
  const viewer = viewerOf(entry, { mayRead: actionContext().may('download') })
  if (viewer !== 'editor') return viewer
  return entry.size > ON_DEMAND_LIMITS.compareMaxBytes ? 'card' : 'text'
}

function QuickLookContent({ entry, viewer }: { entry: Entry; viewer: QuickLookViewer }) {
  if (viewer === 'folder') return <FolderCard folder={entry} />
  return <OpenedFile file={entry} viewer={viewer} />
}

function summaryOf({ isDir, size, modified }: Entry): string {
  return [...(isDir ? [] : [formatSize(size)]), formatDate(modified)].join(' · ')
}

/** Handles keys that the focused element does not need: a text field needs all, a button those that press it. */
function onKeyDown(event: KeyboardEvent<HTMLElement>, open: () => void): void {
  if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return
  if (event.target.closest('input, select, textarea, [role="grid"]')) return
  const { key } = event
  const isButton = event.target.closest('button, a') !== null
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  if (isButton && (key === ' ' || key === 'Enter')) return
  if (isVertical && event.target !== event.currentTarget && !isButton) return
  if (handleKey(event, open)) {
    event.preventDefault()
    event.stopPropagation()
  }
}

function handleKey(event: KeyboardEvent, open: () => void): boolean {
  const keys = keysOf(event.nativeEvent)
  const [before, after] = isRightToLeft()
    ? ['ArrowRight', 'ArrowLeft']
    : ['ArrowLeft', 'ArrowRight']
  if (keys === 'Space') closeQuickLook()
  else if (keys === 'Enter') open()
  else if (keys === before || keys === 'ArrowUp') void perform(actionOf('previous'))
  else if (keys === after || keys === 'ArrowDown') void perform(actionOf('next'))
  else {
    const action = findAction(keys, actionContext())
    if (!action || !ACTIONS.includes(action.id)) return false
    void perform(action)
  }
  return true
}
