import type { ReactNode } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './FormFooter.css'

interface FormFooterProps {
  /** Why saving failed. */
  problem?: string | undefined
  isBusy: boolean
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
  action,
  onDiscard,
  discard,
  children,
}: FormFooterProps) {
  const { t } = useTranslation()
  return (
    <footer className="FormFooter">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="FormFooter__actions">
        {children}
        <span className="FormFooter__gap" />
        {onDiscard && <Button onClick={onDiscard}>{discard ?? t('settings.discard')}</Button>}
        <Button tone="accent" type="submit" disabled={isBusy}>
          {action}
        </Button>
      </div>
    </footer>
  )
}
