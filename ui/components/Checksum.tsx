import { useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { Spinner } from './Spinner.tsx'
import { useAsync } from './use-async.ts'
import './Checksum.css'

interface ChecksumProps {
  /** `sha256` */
  algorithm: string
  /** Whether it is computed without a click. */
  isImmediate?: boolean
  load(signal: AbortSignal): Promise<string>
  /** Resolves to whether it was copied. */
  onCopy(text: string): Promise<boolean>
}

/** One checksum of a file. The server has to read the whole file, so it is requested by a click. */
export function Checksum({ algorithm, isImmediate = false, load, onCopy }: ChecksumProps) {
  const { t } = useTranslation()
  const [attempts, setAttempts] = useState(isImmediate ? 1 : 0)
  const [copied, setCopied] = useState(false)
  const result = useAsync(attempts > 0 ? `${attempts}` : undefined, load)
  const name = algorithm.toUpperCase().replace('SHA', 'SHA-')

  return (
    <div className="Checksum">
      <dt>{name}</dt>
      <dd>
        {attempts === 0 && (
          <Button
            tone="quiet"
            aria-label={t('details.calculateOf', { name })}
            onClick={() => setAttempts(1)}
          >
            {t('details.calculate')}
          </Button>
        )}
        {attempts > 0 && result.status === 'loading' && (
          <Spinner label={t('details.calculating', { name })} />
        )}
        {result.status === 'failed' && (
          <Button tone="quiet" onClick={() => setAttempts(attempts + 1)}>
            {t('details.calculateAgain')}
          </Button>
        )}
        {result.status === 'loaded' && (
          <>
            <code className="Checksum__digest" dir="ltr">
              {result.value}
            </code>
            <IconButton
              icon={copied ? 'check' : 'copy'}
              size="s"
              label={t(copied ? 'details.copied' : 'details.copyOf', { name })}
              onClick={async () => setCopied(await onCopy(result.value))}
            />
          </>
        )}
      </dd>
    </div>
  )
}
