import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Input } from './Input.tsx'
import './FindBar.css'

export interface FindMatches {
  /** The number of the selected match, from 1; 0 for none. */
  index: number
  count: number
  /** Whether there are more matches than were counted. */
  hasMore?: boolean
}

interface FindBarProps {
  text: string
  /** Undefined while they are counted. */
  matches: FindMatches | undefined
  isInvalid?: boolean
  /** Counts the requests to search: each moves the focus into the field and selects the text. */
  requests?: number
  onChange(text: string): void
  onStep(direction: 'next' | 'previous'): void
  onClose(): void
  /** More rows. */
  children?: ReactNode
}

/** A panel over a text: what is searched, the number of its matches, and buttons that go to the next one. */
export function FindBar(props: FindBarProps) {
  const { text, matches, isInvalid, requests = 0, onChange, onStep, onClose, children } = props
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request selects the text
  useEffect(() => field.current?.select(), [requests])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.target === field.current) {
      onStep(event.shiftKey ? 'previous' : 'next')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <search className="FindBar" onKeyDown={onKeyDown}>
      <div className="FindBar__row">
        <Input
          ref={field}
          value={text}
          aria-label={t('editor.find')}
          placeholder={t('editor.find')}
          aria-invalid={isInvalid}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="FindBar__count" role="status">
          {text !== '' && matches && countText(matches)}
        </span>
        <IconButton
          icon="chevron-up"
          size="s"
          label={t('editor.findPrevious')}
          onClick={() => onStep('previous')}
        />
        <IconButton
          icon="chevron-down"
          size="s"
          label={t('editor.findNext')}
          onClick={() => onStep('next')}
        />
        <IconButton icon="x" size="s" label={t('common.close')} onClick={onClose} />
      </div>
      {children}
    </search>
  )

  function countText({ index, count, hasMore }: FindMatches): string {
    return t(index > 0 ? 'editor.matchOf' : 'editor.matches', {
      count,
      at: formatNumber(index),
      value: formatNumber(count) + (hasMore ? '+' : ''),
    })
  }
}
