import { type FormEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import { startCursor, step } from '#ui/lib/text/line-history.ts'
import { commandHistory } from '#ui/state/shell/command-history.ts'
import {
  abandonLine,
  clearLog,
  endInput,
  enterLine,
  stopCommand,
} from '#ui/state/shell/commands.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import './PromptLine.css'

interface PromptLineProps {
  ref: Ref<HTMLInputElement>
  folder: TreePath
  /** The running command, which then receives the input; empty if there is none. */
  running: string
  onEnter(): void
}

/** The input for commands, and for the standard input of a running command. */
export function PromptLine({ ref, folder, running, onEnter }: PromptLineProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const cursor = useRef(startCursor([]))

  function setLine(line: string): void {
    setText(line)
    cursor.current = startCursor([])
  }

  function enter(event: FormEvent): void {
    event.preventDefault()
    onEnter()
    enterLine(text, folder)
    setLine('')
  }

  function showHistory(by: -1 | 1): void {
    const { lines } = cursor.current
    const from = lines.length > 0 ? cursor.current : startCursor(commandHistory())
    const stepped = step(from, by, text)
    if (!stepped) return
    cursor.current = stepped.cursor
    setText(stepped.line)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return
    const handler = handlerFor(event)
    if (!handler) return
    event.preventDefault()
    onEnter()
    handler()
  }

  /** The effect of a key, as in common shells; undefined if the text field handles the key. */
  function handlerFor(event: KeyboardEvent<HTMLInputElement>): (() => void) | undefined {
    const keys = keysOf(event.nativeEvent)
    if (keys === 'ArrowUp') return () => showHistory(-1)
    if (keys === 'ArrowDown') return () => showHistory(1)
    if (keys === 'Ctrl+L') return clearLog
    if (keys === 'Ctrl+C' && event.ctrlKey && !isSelecting(event.currentTarget)) {
      return running === '' ? discardLine : stopCommand
    }
    if (keys === 'Ctrl+D' && running !== '' && text === '') return endInput
    return undefined
  }

  function discardLine(): void {
    abandonLine(text, folder)
    setLine('')
  }

  return (
    <form className="PromptLine" onSubmit={enter} data-running={running !== '' || undefined}>
      {running === '' && (
        <>
          <bdi className="PromptLine__folder">{nameOf(folder) || folder}</bdi>
          <span className="PromptLine__sign" aria-hidden="true">
            $
          </span>
        </>
      )}
      <input
        ref={ref}
        className="PromptLine__text"
        aria-label={running === '' ? t('shell.prompt') : t('shell.inputFor', { command: running })}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
        value={text}
        onChange={(event) => setLine(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {running !== '' && (
        <button type="button" className="PromptLine__stop" onClick={stopCommand}>
          {t('shell.stop')}
        </button>
      )}
    </form>
  )
}

/** Whether text is selected, in the field or on the page: Ctrl+C then copies it. */
function isSelecting({ selectionStart, selectionEnd }: HTMLInputElement): boolean {
  return selectionStart !== selectionEnd || getSelection()?.isCollapsed === false
}
