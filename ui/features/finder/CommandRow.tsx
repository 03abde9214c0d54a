import { Icon } from '#ui/components/icons/Icon.tsx'
import { Kbd } from '#ui/components/icons/Kbd.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/gestures/keys.ts'
import type { Command } from './commands.ts'
import './Finder.css'
import './CommandRow.css'

interface CommandRowProps {
  id: string
  command: Command
  isActive: boolean
  /** Whether any result is selected: the active command is then not announced as selected. */
  isSelecting: boolean
  onRun(): void
}

/** A row of the finder that runs a command. */
export function CommandRow({ id, command, isActive, isSelecting, onRun }: CommandRowProps) {
  const { t } = useTranslation()
  const { name, icon, mirror = false, keys, danger, group } = command
  return (
    <button
      id={id}
      type="button"
      className="Finder__row CommandRow"
      role="option"
      aria-selected={isActive && !isSelecting}
      data-active={isActive || undefined}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      tabIndex={-1}
      data-tone={danger ? 'danger' : undefined}
      onClick={onRun}
    >
      <Icon name={icon} mirror={mirror} />
      <span className="CommandRow__name">
        <bdi>{name}</bdi>
      </span>
      {group === 'pages' && <span className="CommandRow__kind">{t('finder.place')}</span>}
      {keys && <Kbd keys={keys} />}
    </button>
  )
}
