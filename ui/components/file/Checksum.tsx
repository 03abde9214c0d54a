import { type MouseEvent, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { Button } from '../controls/Button.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { Spinner } from '../feedback/Spinner.tsx'
import { useAsync } from '../hooks/use-async.ts'
import { focusAround } from '../overlays/focus-around.ts'
import './Checksum.css'

interface ChecksumProps {
  /** `sha256` */
  algorithm: string
  /** Whether the checksum is requested when this component is first shown. */
  isImmediate?: boolean
  load(signal: AbortSignal): Promise<string>
  /**
   * Copies the checksum.
   *
   * @returns whether it was copied
   */
  onCopy(text: string): Promise<boolean>
}

/**
 * One checksum of a file. The server must read the whole file for it, so the user requests it by a click, unless
 * `isImmediate` is set.
 */
export function Checksum({ algorithm, isImmediate = false, load, onCopy }: ChecksumProps) {
  const { t } = useTranslation()
  const [attempts, setAttempts] = useState(isImmediate ? 1 : 0)
  const [isCopied, setCopied] = useState(false)
  const result = useAsync(attempts > 0 ? `${attempts}` : undefined, load)
  const name = algorithm.toUpperCase().replace('SHA', 'SHA-')
  const request = (event: MouseEvent) => {
    focusAround(event, '.Checksum')
    setAttempts(attempts + 1)
  }

  return (
    <div className="Checksum">
      <dt>{name}</dt>
      <dd>
        {attempts === 0 && (
          <Button tone="quiet" aria-label={t('details.calculateOf', { name })} onClick={request}>
            {t('details.calculate')}
          </Button>
        )}
        {attempts > 0 && result.status === 'loading' && (
          <Spinner label={t('details.calculating', { name })} />
        )}
        {result.status === 'failed' && (
          <Button tone="quiet" onClick={request}>
            {t('details.calculateAgain')}
          </Button>
        )}
        {result.status === 'loaded' && (
          <>
            <code className="Checksum__digest" dir="ltr">
              {result.value}
            </code>
            <IconButton
              icon={isCopied ? 'check' : 'copy'}
              size="s"
              label={t(isCopied ? 'details.copied' : 'details.copyOf', { name })}
              onClick={async () => setCopied(await onCopy(result.value))}
            />
          </>
        )}
      </dd>
    </div>
  )
}
