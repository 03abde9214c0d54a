import type { ReactNode } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './FormFooter.css'

interface FormFooterProps {
  /** Why it was not saved. */
  problem?: string | undefined
  busy: boolean
  act: string
  /** Gives up what was changed; absent while there is nothing to give up. */
  onDiscard?: (() => void) | undefined
  discard?: string
  /** Another act, apart from the others. */
  children?: ReactNode
}

/** The acts of a long form: always in sight, with the reason when saving did not work. */
export function FormFooter({ problem, busy, act, onDiscard, discard, children }: FormFooterProps) {
  const { t } = useTranslation()
  return (
    <footer className="FormFooter">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="FormFooter__acts">
        {children}
        <span className="FormFooter__gap" />
        {onDiscard && <Button onClick={onDiscard}>{discard ?? t('settings.discard')}</Button>}
        <Button tone="accent" type="submit" disabled={busy}>
          {act}
        </Button>
      </div>
    </footer>
  )
}
