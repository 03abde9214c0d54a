import { useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { createFolder } from '#ui/state/folder/folders.ts'
import { isListOnly } from '#ui/state/folder/list-only.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { childPath, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { FolderList } from './FolderList.tsx'
import { FolderPath } from './FolderPath.tsx'
import { NewFolderRow } from './NewFolderRow.tsx'
import './FolderPicker.css'
import { useFolders } from './use-folders.ts'

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
}

/** Browses the folders of the server and chooses one. */
export function FolderPicker(props: FolderPickerProps) {
  const { start, excluded, canCreate, opensByClick, onChange, onLoaded } = props
  const [open, setOpen] = useState(start)
  /** The same as `open`, for work that ends after another folder was opened. */
  const openNow = useRef(start)
  const [marked, setMarked] = useState<TreePath | null>(null)
  const [isNaming, setNaming] = useState(false)
  const { folders, names, fault, reload } = useFolders(open, excluded)
  const isLoaded = folders !== undefined

  useEffect(() => {
    if (isLoaded) onLoaded()
  }, [isLoaded, onLoaded])

  function openFolder(folder: TreePath) {
    setOpen(folder)
    openNow.current = folder
    setMarked(null)
    setNaming(false)
    onChange(folder)
  }

  function mark(folder: TreePath | null) {
    setMarked(folder)
    onChange(folder ?? open)
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
    <div className="FolderPicker">
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
    </div>
  )
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
