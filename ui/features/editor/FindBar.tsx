import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search'
import type { EditorView } from '@codemirror/view'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { countMatches } from './matches.ts'
import './FindBar.css'

interface FindBarProps {
  view: EditorView
  readOnly: boolean
  /** A new value for every change of the text or the selection, so that the matches are counted again. */
  position: unknown
}

/** Finds text in the editor, and replaces it if the file is editable. */
export function FindBar({ view, readOnly, position }: FindBarProps) {
  const { t } = useTranslation()
  const [options, setOptions] = useState(() => optionsOf(view))
  const query = new SearchQuery(options)
  // `position` is not read, but a change of it renders this component, whose row counts again.
  void position

  function change(changes: Partial<FindOptions>): void {
    const next = { ...options, ...changes }
    setOptions(next)
    view.dispatch({ effects: setSearchQuery.of(new SearchQuery(next)) })
  }

  function close(): void {
    closeSearchPanel(view)
    view.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }

  return (
    <search className="FindBar" onKeyDown={onKeyDown}>
      <FindRow
        view={view}
        query={query}
        isInvalid={!query.valid && options.search !== ''}
        onChange={(search) => change({ search })}
        onClose={close}
      />
      {!readOnly && (
        <div className="FindBar__row">
          <Input
            value={options.replace}
            aria-label={t('editor.replaceWith')}
            placeholder={t('editor.replaceWith')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => change({ replace: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter') replaceNext(view)
            }}
          />
        </div>
      )}
      <div className="FindBar__row">
        {TOGGLES.map(({ option, icon, label }) => (
          <IconButton
            key={option}
            icon={icon}
            size="s"
            label={t(label)}
            pressed={options[option]}
            onClick={() => change({ [option]: !options[option] })}
          />
        ))}
        {!readOnly && (
          <span className="FindBar__actions">
            <Button onClick={() => replaceNext(view)}>{t('editor.replace')}</Button>
            <Button onClick={() => replaceAll(view)}>{t('editor.replaceAll')}</Button>
          </span>
        )}
      </div>
    </search>
  )
}

interface FindRowProps {
  view: EditorView
  query: SearchQuery
  isInvalid: boolean
  onChange(search: string): void
  onClose(): void
}

/** The text to find, the number of its matches, and the buttons that go to the next one. */
function FindRow({ view, query, isInvalid, onChange, onClose }: FindRowProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const matches = countMatches(view.state, query)

  useEffect(() => field.current?.select(), [])

  function onFieldKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (event.shiftKey) findPrevious(view)
    else findNext(view)
  }

  return (
    <div className="FindBar__row">
      <Input
        ref={field}
        value={query.search}
        aria-label={t('editor.find')}
        placeholder={t('editor.find')}
        aria-invalid={isInvalid}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onFieldKey}
      />
      <span className="FindBar__count" role="status">
        {query.search !== '' &&
          t(matches.index > 0 ? 'editor.matchOf' : 'editor.matches', {
            count: matches.count,
            at: formatNumber(matches.index),
            value: formatNumber(matches.count) + (matches.hasMore ? '+' : ''),
          })}
      </span>
      <IconButton
        icon="chevron-up"
        size="s"
        label={t('editor.findPrevious')}
        onClick={() => findPrevious(view)}
      />
      <IconButton
        icon="chevron-down"
        size="s"
        label={t('editor.findNext')}
        onClick={() => findNext(view)}
      />
      <IconButton icon="x" size="s" label={t('common.close')} onClick={onClose} />
    </div>
  )
}

const TOGGLES = [
  { option: 'caseSensitive', icon: 'case-sensitive', label: 'editor.matchCase' },
  { option: 'wholeWord', icon: 'whole-word', label: 'editor.wholeWord' },
  { option: 'regexp', icon: 'regex', label: 'editor.regex' },
] as const

interface FindOptions {
  search: string
  replace: string
  caseSensitive: boolean
  wholeWord: boolean
  regexp: boolean
}

/** The options of the current search. When the find bar opens, CodeMirror searches for the selected text. */
function optionsOf(view: EditorView): FindOptions {
  const { search, replace, caseSensitive, wholeWord, regexp } = getSearchQuery(view.state)
  return { search, replace, caseSensitive, wholeWord, regexp }
}
