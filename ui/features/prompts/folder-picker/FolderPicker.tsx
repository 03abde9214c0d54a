import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { findFolders } from '#ui/state/folder/find-folders.ts'
import { createFolder } from '#ui/state/folder/folders.ts'
import { isListOnly } from '#ui/state/folder/list-only.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { isFault } from '#wire/fault.ts'
import { childPath, isInside, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { FolderField } from './FolderField.tsx'
import { FolderList } from './FolderList.tsx'
import { FolderPath } from './FolderPath.tsx'
import { NewFolderRow } from './NewFolderRow.tsx'
import './FolderPicker.css'
import { Shortcuts } from './Shortcuts.tsx'
import { useFolders } from './use-folders.ts'
import { useShortcuts } from './use-shortcuts.ts'

interface FolderPickerProps {
  start: TreePath
  /** These folders and everything below them are hidden. */
  excluded: readonly TreePath[]
  canCreate: boolean
  /** Whether a click opens a folder; otherwise a click chooses it, and a double click opens it. */
  opensByClick: boolean
  /** Called with the chosen folder: the marked one, or the open one. */
  onChange(folder: TreePath): void
  /** Called when the folders in the open one are known: whether something can be put into each is known too. */
  onLoaded(): void
  /** Called for Enter in the empty field: the chosen folder is meant. */
  onConfirm(): void
}

/**
 * Chooses a folder of the server: by its name or path, as one of the last destinations or favourites, or by browsing.
 */
export function FolderPicker(props: FolderPickerProps) {
  const { start, excluded, canCreate, opensByClick, onChange, onLoaded, onConfirm } = props
  const [open, setOpen] = useState(start)
  /** The same as `open`, for work that ends after another folder was opened. */
  const openNow = useRef(start)
  const [marked, setMarked] = useState<TreePath | null>(null)
  const [isNaming, setNaming] = useState(false)
  const { folders, names, fault, reload } = useFolders(open, excluded)
  const isLoaded = folders !== undefined
  const shortcuts = useShortcuts(start, excluded)
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const isTyped = typed.trim() !== ''
  const found = useAsync(isTyped ? typed : undefined, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, ON_DEMAND_LIMITS.searchPauseMs))
    return signal.aborted ? [] : findFolders(typed, signal)
  })
  const isFailed = found.status === 'failed' && !isFault(found.error, 'notFound')

  useEffect(() => {
    if (isLoaded) onLoaded()
  }, [isLoaded, onLoaded])

  function openFolder(folder: TreePath) {
    setOpen(folder)
    openNow.current = folder
    setMarked(null)
    setNaming(false)
    setTyped('')
    onChange(folder)
  }

  function mark(folder: TreePath | null) {
    setMarked(folder)
    onChange(folder ?? open)
  }

  /** A slash in the list begins to type a path. */
  function typePath(event: KeyboardEvent): void {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    setTyped('/')
    field.current?.focus()
  }

  async function create(name: string) {
    const folder = childPath(open, name)
    try {
      await createFolder(folder)
      if (openNow.current !== open) return
      setNaming(false)
      await reload()
      if (openNow.current === open) mark(folder)
    } catch (error) {
      toastError(error)
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key for the field inside
    <div className="FolderPicker" onKeyDown={typePath}>
      <FolderField
        input={field}
        text={typed}
        found={foundFolders()}
        fault={isFailed ? found.error : undefined}
        onType={setTyped}
        onOpen={openFolder}
        onConfirm={onConfirm}
      />
      {!isTyped && browser()}
    </div>
  )

  /** The folders that the text finds, none for a path without a folder; undefined until they are known. */
  function foundFolders(): readonly TreePath[] | undefined {
    if (found.status === 'loading' || isFailed) return undefined
    if (found.status === 'failed') return []
    return found.value.filter((path) => !excluded.some((folder) => isInside(path, folder)))
  }

  function browser() {
    return (
      <>
        <Shortcuts shortcuts={shortcuts} open={open} onOpen={openFolder} />
        <div className="FolderPicker__head">
          <FolderPath path={open} onOpen={openFolder} />
          {canCreate && (
            <CreateButton isDisabled={isListOnly(open)} onClick={() => setNaming(true)} />
          )}
        </div>
        <div className="FolderPicker__body">
          {isNaming && (
            <NewFolderRow taken={names} onName={create} onCancel={() => setNaming(false)} />
          )}
          <FolderList
            folders={folders}
            fault={fault}
            marked={marked}
            opensByClick={opensByClick}
            hasParent={open !== ROOT}
            onMark={mark}
            onOpen={openFolder}
            onGoUp={() => openFolder(parentPath(open))}
            onRetry={reload}
          />
        </div>
      </>
    )
  }
}

/** In narrow windows it shows only the icon. */
function CreateButton({ isDisabled, onClick }: { isDisabled: boolean; onClick(): void }) {
  const { t } = useTranslation()
  const label = t('prompts.folders.create')
  const state = { disabled: isDisabled, onClick }
  if (useMedia(NARROW)) return <IconButton icon="folder-plus" label={label} {...state} />
  return (
    <Button tone="quiet" icon="folder-plus" {...state}>
      {label}
    </Button>
  )
}
