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
  begin?: boolean
  ask(signal: AbortSignal): Promise<string>
  /** Resolves to whether it was copied. */
  onCopy(text: string): Promise<boolean>
}

/** One checksum of a file. The server has to read the whole file, so it is requested by a click. */
export function Checksum({ algorithm, begin = false, ask, onCopy }: ChecksumProps) {
  const { t } = useTranslation()
  const [tries, setTries] = useState(begin ? 1 : 0)
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
