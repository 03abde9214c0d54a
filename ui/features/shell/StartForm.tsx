import { type FormEvent, useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import { shell } from '#ui/state/shell/shell.ts'
import { defaultProgram } from '#ui/state/shell/terminal.ts'
import { NoPrograms } from './NoPrograms.tsx'
import './StartForm.css'

interface StartFormProps {
  /** How the last program ended; empty if there was none. */
  ending: string
  onStart(line: string): void
}

/** The form that starts a program in the terminal: one that the user may run, with arguments. Enter submits it. */
export function StartForm({ ending, onStart }: StartFormProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { openRequests } = useSnapshot(shell)
  const [line, setLine] = useState(() => shell.program || defaultProgram())
  const listId = useId()
  const programs = user?.commands ?? []

  function start(event: FormEvent): void {
    event.preventDefault()
    if (line.trim() !== '') onStart(line.trim())
  }

  if (programs.length === 0) {
    return (
      <p className="StartForm">
        <NoPrograms />
      </p>
    )
  }
  return (
    <form className="StartForm" onSubmit={start}>
      <span className="StartForm__text" role="status">
        {ending !== '' ? t('shell.again', { ending }) : t('shell.choose')}
      </span>
      <Input
        // After a program has ended, the focus is here, so that Enter starts it again.
        autoFocus={openRequests > 0}
        aria-label={t('shell.program')}
        list={listId}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        value={line}
        onChange={(event) => setLine(event.target.value)}
      />
      <datalist id={listId}>
        {programs.map((program) => (
          <option key={program} value={program} />
        ))}
      </datalist>
      <Button type="submit" tone="accent">
        {t('shell.start')}
      </Button>
    </form>
  )
}
