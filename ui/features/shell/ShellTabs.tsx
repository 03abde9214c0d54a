import { onTabKey } from '#ui/components/tab-keys.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { openShell, SHELL_TABS, type ShellTab, shell } from '#ui/state/shell.ts'
import './ShellTabs.css'

/** The tabs of the panel. */
export function ShellTabs({ side }: { side: ShellTab }) {
  const { t } = useTranslation()
  return (
    <div
      className="ShellTabs"
      role="tablist"
      aria-label={t('shell.title')}
      onKeyDown={(event) => onTabKey(event, selectTab)}
    >
      {SHELL_TABS.map((name) => (
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
export function sidePanelId(side: ShellTab): string {
  return `shell-${side}`
}

/** A click moves the focus to the input of the tab; the arrow keys keep it on the tabs. */
function showSide(side: ShellTab): void {
  shell.side = side
  openShell()
}

function selectTab(index: number): void {
  shell.side = SHELL_TABS[index] ?? shell.side
}
