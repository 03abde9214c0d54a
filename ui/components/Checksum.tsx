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
  ask(signal: AbortSignal): Promise<string>
  /** Answers whether it was copied. */
  onCopy(text: string): Promise<boolean>
}

/** One checksum of a file. Reading all of a large file takes time, so it waits to be asked for. */
export function Checksum({ algorithm, ask, onCopy }: ChecksumProps) {
  const { t } = useTranslation()
  const [tries, setTries] = useState(0)
  const [copied, setCopied] = useState(false)
  const answer = useAsync(tries > 0 ? `${tries}` : undefined, ask)
  const name = algorithm.toUpperCase().replace('SHA', 'SHA-')

  return (
    <div className="Checksum">
      <dt>{name}</dt>
      <dd>
        {tries === 0 && (
          <Button
            tone="quiet"
            aria-label={t('details.calculateOf', { name })}
            onClick={() => setTries(1)}
          >
            {t('details.calculate')}
          </Button>
        )}
        {tries > 0 && answer.status === 'loading' && (
          <Spinner label={t('details.calculating', { name })} />
        )}
        {answer.status === 'failed' && (
          <Button tone="quiet" onClick={() => setTries(tries + 1)}>
            {t('details.calculateAgain')}
          </Button>
        )}
        {answer.status === 'here' && (
          <>
            <code className="Checksum__digest" dir="ltr">
              {answer.value}
            </code>
            <IconButton
              icon={copied ? 'check' : 'copy'}
              size="s"
              label={t(copied ? 'details.copied' : 'details.copyOf', { name })}
              onClick={async () => setCopied(await onCopy(answer.value))}
            />
          </>
        )}
      </dd>
    </div>
  )
}
