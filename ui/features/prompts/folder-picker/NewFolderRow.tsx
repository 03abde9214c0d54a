import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isTakenAmong, type Siblings } from '#ui/lib/entries/new-names.ts'
import { findTypedNameProblem } from '#ui/lib/entries/usable-names.ts'
import './NewFolderRow.css'

interface NewFolderRowProps {
  taken: Siblings
  onName(name: string): void
  onCancel(): void
}

/** Creates a folder in the picker. Escape closes the row and not the card. */
export function NewFolderRow({ taken, onName, onCancel }: NewFolderRowProps) {
  const { t } = useTranslation()
  const row = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const problem = findTypedNameProblem(name)
  const isTaken = isTakenAmong(taken, name)
  const isInvalid = (problem !== undefined && problem !== 'empty') || isTaken

  useEffect(() => row.current?.querySelector('input')?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name !== '' && !isInvalid) onName(name)
  }

  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onCancel()
  }

  return (
    <form className="NewFolderRow" ref={row} onSubmit={submit} onKeyDown={closeOnEscape} noValidate>
      <Field
        label={t('prompts.newFolder.title')}
        state={isInvalid ? 'invalid' : undefined}
        hint={hint()}
      >
        <Input
          value={typed}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button onClick={onCancel}>{t('common.cancel')}</Button>
      <Button type="submit" disabled={isInvalid}>
        {t('prompts.newFolder.act')}
      </Button>
    </form>
  )

  function hint() {
    if (isTaken) return t('prompts.name.taken', { name })
    if (problem === 'reserved') return t('fault.nameReserved')
    return problem && problem !== 'empty' && t(`prompts.name.${problem}`)
  }
}
