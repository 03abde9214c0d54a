import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { findNameWarning, findTypedNameProblem } from '#ui/lib/entries/usable-names.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { autofocus } from './autofocus.ts'
import { ConfirmCard } from './ConfirmCard.tsx'
import './NameCard.css'

interface NameCardProps {
  title: string
  /** The label of the submit button. */
  action: string
  /** The folder of the named entry. */
  folder: TreePath
  initial: string
  /** The number of characters of `initial` that are selected at first. */
  selected: number
  /** If the name is submitted unchanged, it is the answer (`answers`), or the prompt is cancelled (undefined). */
  unchanged?: 'answers'
  isTaken(name: string): boolean
  onName(name: string): void
  onCancel(): void
}

/** Asks for one name. Shows the resulting path, and validates the name before anything is sent. */
export function NameCard(props: NameCardProps) {
  const { title, action, folder, initial, selected, unchanged, isTaken, onName, onCancel } = props
  const { t } = useTranslation()
  const formId = useId()
  const [typed, setTyped] = useState(initial)
  const isFirstFocus = useRef(true)
  const name = typed.trim()
  const problem = findTypedNameProblem(name)
  const isNameTaken = name !== initial && isTaken(name)
  const isInvalid = (problem !== undefined && problem !== 'empty') || isNameTaken

  function selectStem(input: HTMLInputElement) {
    if (isFirstFocus.current) input.setSelectionRange(0, selected)
    isFirstFocus.current = false
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name === '' || isInvalid) return
    // The untrimmed text: a name may begin or end with a space.
    if (typed === initial && !unchanged) onCancel()
    else onName(name)
  }

  return (
    <ConfirmCard
      title={title}
      action={action}
      form={formId}
      disabled={isInvalid}
      onCancel={onCancel}
    >
      <form className="NameCard" id={formId} onSubmit={submit} noValidate>
        <Field
          label={t('prompts.name.label')}
          state={isInvalid ? 'invalid' : undefined}
          hint={hintFor()}
        >
          <Input
            value={typed}
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="done"
            ref={autofocus}
            onChange={(event) => setTyped(event.target.value)}
            onFocus={(event) => selectStem(event.target)}
          />
        </Field>
      </form>
    </ConfirmCard>
  )

  function hintFor(): ReactNode {
    if (isNameTaken) return t('prompts.name.taken', { name })
    if (problem === 'reserved') return t('fault.nameReserved')
    if (problem && problem !== 'empty') return t(`prompts.name.${problem}`)
    // The field leaves it out; an unchanged name keeps it.
    if (/[\r\n]/.test(initial)) return t('prompts.name.lineBreak')
    if (typed !== initial && name !== typed && name !== '') return t('prompts.name.trimmed')
    const warning = findNameWarning(name)
    if (warning) return t(`prompts.name.${warning}`)
    return <ResultingPath folder={folder} name={name} />
  }
}

/** The path that the entry will have, from the root of the scope. */
function ResultingPath({ folder, name }: { folder: TreePath; name: string }) {
  const { t } = useTranslation()
  const folders = segmentsOf(folder)
  const near =
    folders.length > ON_DEMAND_LIMITS.resultingFoldersMax ? ['…', ...folders.slice(-1)] : folders
  const parts = [t('places.home'), ...near]
  return (
    <span className="NameCard__location">
      <span className="NameCard__folders">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path have no other key
          <span key={index}>
            <bdi>{part}</bdi>
          </span>
        ))}
      </span>
      <bdi className="NameCard__name">{name}</bdi>
    </span>
  )
}
