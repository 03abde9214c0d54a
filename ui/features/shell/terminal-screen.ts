/** The screen of the terminal. There is one, and its content stays while the panel is closed. */

import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { actionOf } from '#ui/actions/registry.ts'
import { t } from '#ui/i18n/i18n.ts'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { onUserChange } from '#ui/state/session/session.ts'
import { resizeTerminal, startTerminal, typeIntoTerminal } from '#ui/state/shell/terminal.ts'
import type { TreePath } from '#wire/paths.ts'
import { allowTerminalStyles } from './terminal-styles.ts'
import { themeOf, watchTheme } from './terminal-theme.ts'

/**
 * Inserts the screen into `host`, and updates its size and its colours.
 *
 * @returns a function that removes it
 */
export function showScreen(host: HTMLElement): () => void {
  const { terminal, fit } = screen()
  if (terminal.element) host.append(terminal.element)
  else open(terminal, host)
  const paint = () => {
    terminal.options.theme = themeOf(host)
  }
  paint()
  fit.fit()
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(host)
  const unwatch = watchTheme(paint)
  return () => {
    observer.disconnect()
    unwatch()
    terminal.element?.remove()
  }
}

/** Starts a program that the user may run, on an empty screen. */
export function runOnScreen(line: string, folder: TreePath): void {
  const { terminal } = screen()
  terminal.reset()
  const { cols, rows } = terminal
  startTerminal(line, folder, { cols, rows }, (data) => terminal.write(data))
}

export function focusScreen(): void {
  created?.terminal.focus()
}

let created: { terminal: Terminal; fit: FitAddon } | undefined

function screen(): { terminal: Terminal; fit: FitAddon } {
  if (created) return created
  const terminal = new Terminal({
    fontSize: 13,
    lineHeight: 1.25,
    scrollback: ON_DEMAND_LIMITS.shellLinesMax,
    // The width of its scrollbar, in pixels.
    overviewRuler: { width: 8 },
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    // Programs choose colours without knowing the background.
    minimumContrastRatio: 4.5,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.onData(typeIntoTerminal)
  terminal.onResize(({ cols, rows }) => resizeTerminal({ cols, rows }))
  terminal.attachCustomKeyEventHandler((event) => isForProgram(terminal, event))
  // The next user must not see this output. The screen is reset after the output that is still being processed.
  onUserChange(() => terminal.write('', () => terminal.reset()))
  created = { terminal, fit }
  return created
}

function open(terminal: Terminal, host: HTMLElement): void {
  allowTerminalStyles()
  Terminal.strings.promptLabel = t('shell.terminalInput')
  terminal.options.fontFamily = getComputedStyle(host).getPropertyValue('--font-mono')
  terminal.open(host)
}

/** Whether the program gets a key. The page handles copying the selection, pasting, and closing the panel. */
function isForProgram(terminal: Terminal, event: KeyboardEvent): boolean {
  if (event.type !== 'keydown') return true
  const keys = keysOf(event)
  if ((keys === 'Ctrl+C' || keys === 'Ctrl+Shift+C') && terminal.hasSelection()) {
    event.preventDefault()
    void copy(terminal.getSelection())
    terminal.clearSelection()
    return false
  }
  const isPaste = keys === 'Ctrl+V' || keys === 'Ctrl+Shift+V'
  return !isPaste && !actionOf('shell').keys?.includes(keys)
}
