import { Icon } from '#ui/components/Icon.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ariaKeys } from '#ui/lib/keys.ts'
import type { Command } from './commands.ts'
import './PaletteRow.css'

interface PaletteRowProps {
  id: string
  command: Command
  active: boolean
  onRun(): void
}

export function PaletteRow({ id, command, active, onRun }: PaletteRowProps) {
  const { t } = useTranslation()
  const { name, icon, mirror = false, keys, danger, group } = command
  return (
    <button
      id={id}
      type="button"
      className="PaletteRow"
      role="option"
      aria-selected={active}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      tabIndex={-1}
      data-tone={danger ? 'danger' : undefined}
      onClick={onRun}
    >
      <Icon name={icon} mirror={mirror} />
      <span className="PaletteRow__name" dir="auto">
        {name}
      </span>
      {group === 'places' && <span className="PaletteRow__what">{t('palette.place')}</span>}
      {keys && <Kbd keys={keys} />}
    </button>
  )
}
