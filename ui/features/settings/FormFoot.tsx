import type { ReactNode } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './FormFoot.css'

interface FormFootProps {
  /** Why it was not saved. */
  trouble?: string | undefined
  busy: boolean
  act: string
  /** Gives up what was changed; absent while there is nothing to give up. */
  onDiscard?: (() => void) | undefined
  discard?: string
  /** Another act, apart from the others. */
  children?: ReactNode
}

/** The acts of a long form: always in sight, with the reason when saving did not work. */
export function FormFoot({ trouble, busy, act, onDiscard, discard, children }: FormFootProps) {
  const { t } = useTranslation()
  return (
    <footer className="FormFoot">
      {trouble && <Notice tone="danger">{trouble}</Notice>}
      <div className="FormFoot__acts">
        {children}
        <span className="FormFoot__gap" />
        {onDiscard && <Button onClick={onDiscard}>{discard ?? t('settings.discard')}</Button>}
        <Button tone="accent" type="submit" disabled={busy}>
          {act}
        </Button>
      </div>
    </footer>
  )
}
