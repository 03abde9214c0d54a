import { useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Fact } from '#ui/lib/fact.ts'
import { Button } from './Button.tsx'
import { Checksum } from './Checksum.tsx'
import { FactRow, Facts } from './Facts.tsx'
import { useAnswer } from './use-answer.ts'
import './FactSheet.css'

interface FactSheetProps<Algorithm extends string> {
  /** What it is about: another one begins anew. */
  subject: string
  facts: readonly Fact[]
  /** Asks for more facts, where there are more. */
  more?: ((signal: AbortSignal) => Promise<readonly Fact[]>) | undefined
  /** The checksums that may be asked for. */
  algorithms: readonly Algorithm[]
  checksum(algorithm: Algorithm, signal: AbortSignal): Promise<string>
  /** Copies a checksum; answers whether it did. */
  onCopy(text: string): Promise<boolean>
}

/** All there is to say of something, with what takes asking: its inside, and its checksums. */
export function FactSheet<Algorithm extends string>({
  subject,
  facts,
  more,
  algorithms,
  checksum,
  onCopy,
}: FactSheetProps<Algorithm>) {
  const { t } = useTranslation()
  return (
    <div className="FactSheet">
      <Facts facts={facts}>
        {more && <MoreFacts key={subject} subject={subject} ask={more} />}
      </Facts>
      {algorithms.length > 0 && (
        <section className="FactSheet__part">
          <h3 className="FactSheet__title">{t('details.checksums')}</h3>
          <dl className="FactSheet__checksums">
            {algorithms.map((algorithm) => (
              <Checksum
                key={`${algorithm} ${subject}`}
                algorithm={algorithm}
                ask={(signal) => checksum(algorithm, signal)}
                onCopy={onCopy}
              />
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

interface MoreFactsProps {
  subject: string
  ask(signal: AbortSignal): Promise<readonly Fact[]>
}

function MoreFacts({ subject, ask }: MoreFactsProps) {
  const { t } = useTranslation()
  const [tries, setTries] = useState(0)
  const answer = useAnswer(`${tries} ${subject}`, ask)
  if (answer.status === 'loading') {
    return (
      <div className="FactSheet__waiting" role="status" aria-label={t('common.loading')}>
        <span />
        <span />
      </div>
    )
  }
  if (answer.status === 'failed') {
    return (
      <div className="FactSheet__failed" role="alert">
        {t('details.noMore')}
        <Button tone="quiet" onClick={() => setTries(tries + 1)}>
          {t('common.tryAgain')}
        </Button>
      </div>
    )
  }
  return answer.value.map(({ term, text, title }) => (
    <FactRow key={term} term={term}>
      <span title={title}>{text}</span>
    </FactRow>
  ))
}
