import { type KeyboardEvent, useEffect, useRef } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { PdfMatches } from './pdf-view.ts'
import './PdfFind.css'

interface PdfFindProps {
  query: string
  matches: PdfMatches
  /** Counts the requests to search: each moves the focus into the field. */
  requests: number
  onFind(text: string, step?: 'next' | 'previous'): void
  onClose(): void
}

/** Finds text in the pages. */
export function PdfFind({ query, matches, requests, onFind, onClose }: PdfFindProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request selects the text
  useEffect(() => field.current?.select(), [requests])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.target === field.current) {
      onFind(query, event.shiftKey ? 'previous' : 'next')
    } else if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey))
      field.current?.select()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <search className="PdfFind" onKeyDown={onKeyDown}>
      <Input
        ref={field}
        value={query}
        aria-label={t('editor.find')}
        placeholder={t('editor.find')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => onFind(target.value)}
      />
      <span className="PdfFind__count" role="status">
        {query !== '' &&
          !matches.isSearching &&
          t(matches.current > 0 ? 'editor.matchOf' : 'editor.matches', {
            count: matches.count,
            at: formatNumber(matches.current),
            value: formatNumber(matches.count),
          })}
      </span>
      <IconButton
        icon="chevron-up"
        size="s"
        label={t('editor.findPrevious')}
        onClick={() => onFind(query, 'previous')}
      />
      <IconButton
        icon="chevron-down"
        size="s"
        label={t('editor.findNext')}
        onClick={() => onFind(query, 'next')}
      />
      <IconButton icon="x" size="s" label={t('common.close')} onClick={onClose} />
    </search>
  )
}
