import { onTabKey } from '#ui/components/controls/tab-keys.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { openShell, SHELL_TABS, type ShellTab, shell } from '#ui/state/shell/shell.ts'
import './ShellTabs.css'

/** The tabs of the panel. */
export function ShellTabs({ tab }: { tab: ShellTab }) {
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
          aria-selected={name === tab}
          aria-controls={name === tab ? tabPanelId(name) : undefined}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => showTab(name)}
        >
          {t(`shell.tabs.${name}`)}
        </button>
      ))}
    </div>
  )
}

/** The id of the panel that a tab controls. */
export function tabPanelId(tab: ShellTab): string {
  return `shell-${tab}`
}

/** A click moves the focus to the input of the tab; the arrow keys keep it on the tabs. */
function showTab(tab: ShellTab): void {
  shell.tab = tab
  openShell()
}

function selectTab(index: number): void {
  shell.tab = SHELL_TABS[index] ?? shell.tab
}
