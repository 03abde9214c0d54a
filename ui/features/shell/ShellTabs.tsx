import type { KeyboardEvent } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isRightToLeft } from '#ui/lib/direction.ts'
import { openShell, SHELL_SIDES, type ShellSide, shell } from '#ui/state/shell.ts'
import './ShellTabs.css'

/** The tabs of the panel. */
export function ShellTabs({ side }: { side: ShellSide }) {
  const { t } = useTranslation()
  return (
    <div className="ShellTabs" role="tablist" aria-label={t('shell.title')} onKeyDown={onKeyDown}>
      {SHELL_SIDES.map((name) => (
        <button
          key={name}
          type="button"
          className="ShellTabs__tab"
          role="tab"
          aria-selected={name === side}
          aria-controls={name === side ? sidePanelId(name) : undefined}
          tabIndex={name === side ? 0 : -1}
          onClick={() => showSide(name)}
        >
          {t(`shell.sides.${name}`)}
        </button>
      ))}
    </div>
  )
}

/** The id of the panel that a tab controls. */
export function sidePanelId(side: ShellSide): string {
  return `shell-${side}`
}

/** A click moves the focus to the input of the tab; the arrow keys keep it on the tabs. */
function showSide(side: ShellSide): void {
  shell.side = side
  openShell()
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const forwards = isRightToLeft() ? 'ArrowLeft' : 'ArrowRight'
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const by = event.key === forwards ? 1 : -1
  const index = (SHELL_SIDES.indexOf(shell.side) + by + SHELL_SIDES.length) % SHELL_SIDES.length
  event.preventDefault()
  event.stopPropagation()
  shell.side = SHELL_SIDES[index] ?? shell.side
  const tabs = event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')
  tabs[index]?.focus()
}
