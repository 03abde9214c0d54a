import { type CSSProperties, type KeyboardEvent, Suspense, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { actionOf } from '#ui/actions/registry.ts'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import { closeShell, shell } from '#ui/state/shell/shell.ts'
import type { TreePath } from '#wire/paths.ts'
import { CommandTab } from './CommandTab.tsx'
import { ShellResizer } from './ShellResizer.tsx'
import { ShellTabs, tabPanelId } from './ShellTabs.tsx'
import { useKeyboardInset } from './use-keyboard-inset.ts'
import './Shell.css'

/** The terminal library is loaded when a terminal is opened. */
const TerminalTab = lazyPart(async () => (await import('./TerminalTab.tsx')).TerminalTab)

/** The panel below the files: commands for the shown folder, and a terminal. */
export function Shell({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const { tab, heightEm } = useSnapshot(shell)
  const panel = useRef<HTMLElement>(null)
  useKeyboardInset(panel)
  useRestoreFocus(panel)

  return (
    <section
      ref={panel}
      className="Shell"
      aria-label={t('shell.title')}
      style={{ '--shell-height': `${heightEm}rem` } as CSSProperties}
      onKeyDown={closeByKey}
    >
      <ShellResizer />
      <header className="Shell__head">
        <Icon name="square-terminal" />
        <ShellTabs tab={tab} />
        <bdi className="Shell__folder" title={folder}>
          {folder}
        </bdi>
        <IconButton icon="x" size="s" label={t('shell.close')} onClick={closeShell} />
      </header>
      <div
        className="Shell__side"
        id={tabPanelId(tab)}
        role="tabpanel"
        aria-label={t(`shell.tabs.${tab}`)}
      >
        {tab === 'commands' ? (
          <CommandTab folder={folder} />
        ) : (
          <Suspense fallback={<Loading />}>
            <TerminalTab folder={folder} />
          </Suspense>
        )}
      </div>
    </section>
  )
}

/** The keys that open the panel also close it, even while text is typed. */
function closeByKey(event: KeyboardEvent): void {
  if (!actionOf('shell').keys?.includes(keysOf(event.nativeEvent))) return
  event.preventDefault()
  closeShell()
}

/** Restores the focus if the panel closes while it has the focus. */
function useRestoreFocus(panel: React.RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current
    const opener = document.activeElement
    return () => {
      const wasInside = element?.contains(document.activeElement)
      if (wasInside && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [panel])
}
