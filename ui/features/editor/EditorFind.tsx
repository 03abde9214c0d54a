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
import { useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { FindBar } from '#ui/components/fields/FindBar.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { countMatches } from './matches.ts'
import './EditorFind.css'

interface EditorFindProps {
  view: EditorView
  readOnly: boolean
  /** A new value for every change of the text or the selection, so that the matches are counted again. */
  position: unknown
}

/** Finds text in the editor, and replaces it if the file is editable. */
export function EditorFind({ view, readOnly, position }: EditorFindProps) {
  const { t } = useTranslation()
  const [options, setOptions] = useState(() => optionsOf(view))
  const query = new SearchQuery(options)
  // `position` is not read, but a change of it renders this component, which counts again.
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

  return (
    <FindBar
      text={query.search}
      matches={countMatches(view.state, query)}
      isInvalid={!query.valid && options.search !== ''}
      onChange={(search) => change({ search })}
      onStep={(direction) => (direction === 'next' ? findNext(view) : findPrevious(view))}
      onClose={close}
    >
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
          <span className="EditorFind__actions">
            <Button onClick={() => replaceNext(view)}>{t('editor.replace')}</Button>
            <Button onClick={() => replaceAll(view)}>{t('editor.replaceAll')}</Button>
          </span>
        )}
      </div>
    </FindBar>
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
