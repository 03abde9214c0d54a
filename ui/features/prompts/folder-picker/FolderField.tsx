import { type KeyboardEvent, type Ref, useEffect, useEffectEvent, useId, useState } from 'react'
import { useListCursor } from '#ui/components/hooks/use-list-cursor.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import './FolderField.css'

interface FolderFieldProps {
  input: Ref<HTMLInputElement>
  text: string
  /** The folders that the text finds; undefined while they are searched. */
  found: readonly TreePath[] | undefined
  /** Why they could not be searched. */
  fault: unknown
  onType(text: string): void
  onOpen(folder: TreePath): void
  /** Called for Enter while no text is typed. */
  onConfirm(): void
}

/**
 * The field of the picker and the folders that its text finds. The arrow keys choose one, Enter opens it; Enter in the
 * empty field confirms the open folder; Escape clears the text and does not close the card.
 */
export function FolderField(props: FolderFieldProps) {
  const { input, text, found, fault, onType, onOpen, onConfirm } = props
  const { t } = useTranslation()
  const id = useId()
  const cursor = useListCursor(found ?? [])
  const isTyped = text.trim() !== ''
  /** Whether Enter was pressed: a folder opens as soon as it is found. */
  const [isWaiting, setWaiting] = useState(false)
  const chosen = found?.[cursor.row]
  const open = useEffectEvent((folder: TreePath) => onOpen(folder))

  useEffect(() => {
    if (!isWaiting || (found === undefined && fault === undefined)) return
    setWaiting(false)
    if (chosen !== undefined) open(chosen)
  }, [isWaiting, found, fault, chosen])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || (isTyped && cursor.step(event))) return
    if (event.key === 'Enter') {
      if (isTyped) setWaiting(true)
      else onConfirm()
    } else if (event.key === 'Escape' && text !== '') onType('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="FolderField">
      <div className="FolderField__box">
        <Icon name="folder-search" />
        <input
          ref={input}
          className="FolderField__text"
          type="text"
          role="combobox"
          value={text}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          aria-label={t('prompts.folders.find')}
          placeholder={t('prompts.folders.find')}
          aria-autocomplete="list"
          aria-expanded={isTyped}
          aria-controls={isTyped ? id : undefined}
          aria-activedescendant={isTyped && cursor.row >= 0 ? `${id}${cursor.row}` : undefined}
          onChange={(event) => {
            onType(event.target.value)
            cursor.reset()
            setWaiting(false)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isTyped && (
        <div
          id={id}
          className="FolderField__list"
          role="listbox"
          aria-label={t('prompts.folders.label')}
        >
          {found?.map((folder, row) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and `aria-activedescendant`
            <div
              key={folder}
              id={`${id}${row}`}
              className="FolderField__row"
              role="option"
              aria-selected={row === cursor.row}
              onClick={() => onOpen(folder)}
            >
              <FileIcon entry={{ name: '', isDir: true, type: '' }} />
              <Name>{nameOf(folder) || t('places.home')}</Name>
              <bdi className="FolderField__parent">{shownPath(parentPath(folder))}</bdi>
            </div>
          ))}
          {(found?.length === 0 || fault !== undefined) && (
            <p className="FolderField__none" role="status">
              {fault === undefined ? t('prompts.folders.noneFound') : faultText(fault)}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
