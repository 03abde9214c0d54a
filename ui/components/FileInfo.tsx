import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { InfoItem } from '#ui/lib/info-item.ts'
import { Button } from './Button.tsx'
import { Checksum } from './Checksum.tsx'
import type { FileVersionsProps } from './FileVersions.tsx'
import { InfoList, InfoRow } from './InfoList.tsx'
import { useAsync } from './use-async.ts'
import './FileInfo.css'

/** Comes with the first file whose details are shown. */
const FileVersions = lazy(async () => ({
  default: (await import('./FileVersions.tsx')).FileVersions,
}))

interface FileInfoProps<Algorithm extends string> {
  /** What it is about: another one begins anew. */
  subject: string
  items: readonly InfoItem[]
  /** Asks for more facts, where there are more. */
  more?: ((signal: AbortSignal) => Promise<readonly InfoItem[]>) | undefined
  /** The earlier versions, of what can have some. */
  versions?: Omit<FileVersionsProps, 'subject'> | undefined
  /** The checksums that may be asked for. */
  algorithms: readonly Algorithm[]
  checksum(algorithm: Algorithm, signal: AbortSignal): Promise<string>
  /** Copies a checksum; answers whether it did. */
  onCopy(text: string): Promise<boolean>
}

/** All there is to say of something, with what takes asking: its inside, and its checksums. */
export function FileInfo<Algorithm extends string>({
  subject,
  items: facts,
  more,
  versions,
  algorithms,
  checksum,
  onCopy,
}: FileInfoProps<Algorithm>) {
  const { t } = useTranslation()
  return (
    <div className="FileInfo">
      <InfoList items={facts}>
        {more && <MoreInfo key={subject} subject={subject} ask={more} />}
      </InfoList>
      {versions && (
        <Suspense fallback={null}>
          <FileVersions key={subject} subject={subject} {...versions} />
        </Suspense>
      )}
      {algorithms.length > 0 && (
        <section className="FileInfo__part">
          <h3 className="FileInfo__title">{t('details.checksums')}</h3>
          <dl className="FileInfo__checksums">
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

interface MoreInfoProps {
  subject: string
  ask(signal: AbortSignal): Promise<readonly InfoItem[]>
}

function MoreInfo({ subject, ask }: MoreInfoProps) {
  const { t } = useTranslation()
  const [tries, setTries] = useState(0)
  const answer = useAsync(`${tries} ${subject}`, ask)
  if (answer.status === 'loading') {
    return (
      <div className="FileInfo__waiting" role="status" aria-label={t('common.loading')}>
        <span />
        <span />
      </div>
    )
  }
  if (answer.status === 'failed') {
    return (
      <div className="FileInfo__failed" role="alert">
        {t('details.noMore')}
        <Button tone="quiet" onClick={() => setTries(tries + 1)}>
          {t('common.tryAgain')}
        </Button>
      </div>
    )
  }
  return answer.value.map(({ term, text, title }) => (
    <InfoRow key={term} term={term}>
      <span title={title}>{text}</span>
    </InfoRow>
  ))
}
