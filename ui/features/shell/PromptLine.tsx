import { type FormEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { keysOf } from '#ui/lib/keys.ts'
import { startCursor, step } from '#ui/lib/line-history.ts'
import { commandHistory } from '#ui/state/command-history.ts'
import { abandonLine, clearLog, endInput, enterLine, stopCommand } from '#ui/state/commands.ts'
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
  const walk = useRef(startCursor([]))

  function write(line: string): void {
    setText(line)
    walk.current = startCursor([])
  }

  function enter(event: FormEvent): void {
    event.preventDefault()
    onEnter()
    enterLine(text, folder)
    write('')
  }

  function recall(by: -1 | 1): void {
    const { lines } = walk.current
    const from = lines.length > 0 ? walk.current : startCursor(commandHistory())
    const taken = step(from, by, text)
    if (!taken) return
    walk.current = taken.walk
    setText(taken.line)
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
    if (keys === 'ArrowUp') return () => recall(-1)
    if (keys === 'ArrowDown') return () => recall(1)
    if (keys === 'Ctrl+L') return clearLog
    if (keys === 'Ctrl+C' && event.ctrlKey && !isSelecting(event.currentTarget)) {
      return running === '' ? giveUp : stopCommand
    }
    if (keys === 'Ctrl+D' && running !== '' && text === '') return endInput
    return undefined
  }

  function giveUp(): void {
    abandonLine(text, folder)
    write('')
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
        onChange={(event) => write(event.target.value)}
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
