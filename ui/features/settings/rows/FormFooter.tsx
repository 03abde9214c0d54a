import type { ReactNode } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './FormFooter.css'

interface FormFooterProps {
  /** Why saving failed. */
  problem?: string | undefined
  isBusy: boolean
  /** Whether there is nothing to save. */
  isUnchanged: boolean
  action: string
  /** Discards the changes, or leaves the form; without it there is no button for that. */
  onDiscard?: (() => void) | undefined
  discard?: string
  /** Another button, apart from the others. */
  children?: ReactNode
}

/** The buttons of a long form: always visible, with the error if saving failed. */
export function FormFooter({
  problem,
  isBusy,
  isUnchanged,
  action,
  onDiscard,
  discard,
  children,
}: FormFooterProps) {
  const { t } = useTranslation()
  const reason = isUnchanged ? t('settings.noChanges') : undefined
  return (
    <footer className="FormFooter">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="FormFooter__actions">
        {children}
        <span className="FormFooter__gap" />
        {onDiscard && <Button onClick={onDiscard}>{discard ?? t('settings.discard')}</Button>}
        <Button
          tone="accent"
          type="submit"
          // Not `disabled`, which would take the focus away after each save.
          aria-disabled={isBusy || isUnchanged}
          aria-description={reason}
          data-tip={reason}
          onClick={(event) => {
            // Enter in a field clicks this button too.
            if (isBusy || isUnchanged) event.preventDefault()
          }}
        >
          {action}
        </Button>
      </div>
    </footer>
  )
}
