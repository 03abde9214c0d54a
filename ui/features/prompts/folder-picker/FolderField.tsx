import { type KeyboardEvent, type Ref, useId } from 'react'
import { useListCursor } from '#ui/components/hooks/use-list-cursor.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import './FolderField.css'

interface FolderFieldProps {
  input: Ref<HTMLInputElement>
  text: string
  /** The folders that the text finds; undefined while they are searched. */
  found: readonly TreePath[] | undefined
  onType(text: string): void
  onOpen(folder: TreePath): void
  /** Called for Enter while no text is typed. */
  onConfirm(): void
}

/**
 * The field of the picker and the folders that its text finds. The arrow keys choose one, Enter opens it; Enter in the
 * empty field confirms the open folder; Escape clears the text and does not close the card.
 */
export function FolderField({ input, text, found, onType, onOpen, onConfirm }: FolderFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const cursor = useListCursor(found ?? [])
  const isTyped = text.trim() !== ''

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || (isTyped && cursor.step(event))) return
    if (event.key === 'Enter') {
      const folder = found?.[cursor.row]
      if (isTyped && folder !== undefined) onOpen(folder)
      else if (!isTyped) onConfirm()
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
          {found?.length === 0 && (
            <p className="FolderField__none" role="status">
              {t('prompts.folders.noneFound')}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
