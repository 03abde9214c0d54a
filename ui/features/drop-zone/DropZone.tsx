import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { filesOfTransfer } from '#ui/lib/gestures/drag-files.ts'
import { actionContext } from '#ui/state/action-context.ts'
import { prompts } from '#ui/state/dialogs/prompts.ts'
import { isListOnly } from '#ui/state/folder/list-only.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import { uploadFiles } from '#ui/uploads/queue/queue.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import './DropZone.css'

/** On drop targets: the destination folder. */
const DROP_PATH = 'data-drop-path'
/** On the drop target under the pointer. */
const DROP_TARGET = 'data-drop-target'

interface DropZoneProps {
  /** The destination of files that are dropped outside of a folder. */
  folder: TreePath
  children: ReactNode
}

/** Accepts files dragged from the desktop, anywhere on the page, and shows their destination. */
export function DropZone({ folder, children }: DropZoneProps) {
  const { t } = useTranslation()
  const target = useFileDrag(folder)
  return (
    <div
      className="DropZone"
      data-dragging={target !== null || undefined}
      data-here={target === folder || undefined}
    >
      {children}
      {target !== null && (
        <p className="DropZone__text" role="status">
          <Icon name="upload" />
          <span>{t('uploads.drop.here', { folder: nameOf(target) || t('places.home') })}</span>
        </p>
      )}
    </div>
  )
}

/** The first drag over the page loads the code that opens folders during a drag. Without it, drops work all the same. */
const watchDrags = () =>
  void import('./spring-loading.ts').then(
    (code) => code.watchDrags(),
    () => undefined,
  )
addEventListener('dragenter', watchDrags, { once: true })

/** The destination folder of the current drag; null if nothing is dragged. */
function useFileDrag(folder: TreePath): TreePath | null {
  const [target, setTarget] = useState<TreePath | null>(null)

  useEffect(() => {
    let marked: Element | null = null

    function mark(element: Element | null) {
      if (element === marked) return
      marked?.removeAttribute(DROP_TARGET)
      element?.setAttribute(DROP_TARGET, '')
      marked = element
    }

    function leave() {
      mark(null)
      setTarget(null)
    }

    function over(event: DragEvent) {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      // Otherwise the browser would leave the page and open the file.
      event.preventDefault()
      const element = dropTargetAt(event)
      const destination = pathOf(element) ?? folder
      if (!canDrop(destination)) {
        event.dataTransfer.dropEffect = 'none'
        leave()
        return
      }
      event.dataTransfer.dropEffect = 'copy'
      mark(element)
      setTarget(destination)
    }

    function drop(event: DragEvent) {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      const destination = pathOf(dropTargetAt(event)) ?? folder
      leave()
      if (canDrop(destination)) void upload(event.dataTransfer, destination)
    }

    function out(event: DragEvent) {
      if (event.relatedTarget === null) leave()
    }

    const listening = new AbortController()
    const { signal } = listening
    addEventListener('dragenter', over, { signal })
    addEventListener('dragover', over, { signal })
    addEventListener('dragleave', out, { signal })
    addEventListener('drop', drop, { signal })
    return () => {
      listening.abort()
      leave()
    }
  }, [folder])

  return target
}

async function upload(transfer: DataTransfer, folder: TreePath): Promise<void> {
  const userId = session.user?.id
  try {
    const files = await filesOfTransfer(transfer)
    // Reading a large folder takes time, and another user may have signed in meanwhile.
    if (session.user?.id === userId) await uploadFiles(files, folder)
  } catch (error) {
    toastError(error)
  }
}

/** Whether files are dragged from outside of the page: a drag from inside it contains none. */
function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files')
}

/** A page whose folder only leads to an allowed one may show folders that take files. */
function canDrop(destination: TreePath): boolean {
  const { page, may } = actionContext()
  const isFree = page === 'folder' && prompts.stack.length === 0
  return isFree && may('create') && !isListOnly(destination)
}

function dropTargetAt({ target }: DragEvent): Element | null {
  return target instanceof Element ? target.closest(`[${DROP_PATH}]`) : null
}

function pathOf(element: Element | null): TreePath | null {
  // Rows and breadcrumbs set the attribute from an entry's TreePath.
  return element ? (element.getAttribute(DROP_PATH) as TreePath) : null
}
