import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import type { IconName } from '#ui/lib/icons.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import './Shortcuts.css'

export interface Shortcut {
  path: TreePath
  icon: IconName
}

interface ShortcutsProps {
  shortcuts: readonly Shortcut[]
  /** The open folder. */
  open: TreePath
  onOpen(folder: TreePath): void
}

/** Buttons that open the last destinations and the favourite folders; nothing if there are none. */
export function Shortcuts({ shortcuts, open, onOpen }: ShortcutsProps) {
  const { t } = useTranslation()
  if (shortcuts.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div className="Shortcuts" role="group" aria-label={t('prompts.folders.shortcuts')}>
      {shortcuts.map(({ path, icon }) => (
        <button
          key={path}
          type="button"
          className="Shortcuts__folder"
          title={path}
          aria-pressed={path === open}
          onClick={() => onOpen(path)}
        >
          <Icon name={icon} />
          <bdi>{shownName(nameOf(path)).text || t('places.home')}</bdi>
        </button>
      ))}
    </div>
  )
}
