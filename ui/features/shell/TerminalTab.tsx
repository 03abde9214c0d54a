import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shell } from '#ui/state/shell/shell.ts'
import { defaultProgram, terminal } from '#ui/state/shell/terminal.ts'
import type { TreePath } from '#wire/paths.ts'
import { StartForm } from './StartForm.tsx'
import { focusScreen, runOnScreen, showScreen } from './terminal-screen.ts'
import './TerminalTab.css'

/** The terminal, or without a running program the form that starts one. */
export function TerminalTab({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const { isRunning, ending } = useSnapshot(terminal)
  const { openRequests } = useSnapshot(shell)
  const host = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = host.current
    return element ? showScreen(element) : undefined
  }, [])

  // The first time the terminal is shown, it starts a shell if the user may run one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only once
  useEffect(() => {
    const program = defaultProgram()
    if (!isRunning && ending === '' && program !== '') runOnScreen(program, folder)
  }, [])

  useEffect(() => {
    if (openRequests > 0 && isRunning) focusScreen()
  }, [openRequests, isRunning])

  return (
    <div className="TerminalTab">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={host}
        className="TerminalTab__screen"
        role="group"
        aria-label={t('shell.terminal')}
        dir="ltr"
      />
      {!isRunning && (
        <StartForm
          ending={ending}
          onStart={(line) => {
            runOnScreen(line, folder)
            focusScreen()
          }}
        />
      )}
    </div>
  )
}
