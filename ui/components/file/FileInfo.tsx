import { Suspense, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { InfoItem } from '#ui/lib/entries/info-item.ts'
import { Button } from '../controls/Button.tsx'
import { lazyPart } from '../feedback/lazy-part.tsx'
import { useAsync } from '../hooks/use-async.ts'
import { focusAround } from '../overlays/focus-around.ts'
import { Checksum } from './Checksum.tsx'
import type { FileAccessProps } from './FileAccess.tsx'
import type { FileActivityProps } from './FileActivity.tsx'
import type { FileVersionsProps } from './FileVersions.tsx'
import { InfoList, InfoRow } from './InfoList.tsx'
import './FileInfo.css'

// The code of each section is loaded when the section is first shown.
const FileVersions = lazyPart(async () => (await import('./FileVersions.tsx')).FileVersions)
const FileAccess = lazyPart(async () => (await import('./FileAccess.tsx')).FileAccess)
const FileActivity = lazyPart(async () => (await import('./FileActivity.tsx')).FileActivity)

/**
 * Reading a whole file takes long: only this checksum is computed when the checksums are shown; each other one needs
 * its own click.
 */
const IMMEDIATE = 'sha256'

interface FileInfoProps<Algorithm extends string> {
  /** Identifies the content of the entry. If it changes, everything that was requested is requested again. */
  subject: string
  items: readonly InfoItem[]
  /** Requests more information, if there is more. */
  more?: ((signal: AbortSignal) => Promise<readonly InfoItem[]>) | undefined
  /** Earlier versions, for entries that can have some. */
  versions?: Omit<FileVersionsProps, 'subject'> | undefined
  /** Who has access, for a single entry. */
  access?: Omit<FileAccessProps, 'subject'> | undefined
  /** Audit records, for a single entry. */
  activity?: Omit<FileActivityProps, 'subject'> | undefined
  /** The checksums that can be requested. */
  algorithms: readonly Algorithm[]
  checksum(algorithm: Algorithm, signal: AbortSignal): Promise<string>
  /**
   * Copies a checksum.
   *
   * @returns whether it was copied
   */
  onCopy(text: string): Promise<boolean>
}

/**
 * All information about entries: `items` at once, and the parts that need requests: more information, versions, access,
 * activity and checksums.
 */
export function FileInfo<Algorithm extends string>({
  subject,
  items,
  more,
  versions,
  access,
  activity,
  algorithms,
  checksum,
  onCopy,
}: FileInfoProps<Algorithm>) {
  const { t } = useTranslation()
  return (
    <div className="FileInfo">
      <InfoList items={items}>
        {more && <MoreInfo key={subject} subject={subject} load={more} />}
      </InfoList>
      {versions && (
        <Suspense fallback={null}>
          <FileVersions key={subject} subject={subject} {...versions} />
        </Suspense>
      )}
      {access && (
        <section className="FileInfo__part">
          <h3 className="FileInfo__title">{t('details.access.title')}</h3>
          <Suspense fallback={null}>
            <FileAccess key={subject} subject={subject} {...access} />
          </Suspense>
        </section>
      )}
      {activity && (
        <section className="FileInfo__part">
          <h3 className="FileInfo__title">{t('details.activity.title')}</h3>
          <Suspense fallback={null}>
            <FileActivity key={subject} subject={subject} {...activity} />
          </Suspense>
        </section>
      )}
      {algorithms.length > 0 && (
        <Checksums key={subject} algorithms={algorithms} checksum={checksum} onCopy={onCopy} />
      )}
    </div>
  )
}

type ChecksumsProps<Algorithm extends string> = Pick<
  FileInfoProps<Algorithm>,
  'algorithms' | 'checksum' | 'onCopy'
>

/** The checksums, behind one button: the server must not read a large file because the details are opened. */
function Checksums<Algorithm extends string>({
  algorithms,
  checksum,
  onCopy,
}: ChecksumsProps<Algorithm>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="FileInfo__part">
      <h3 className="FileInfo__title">{t('details.checksums')}</h3>
      {!isOpen && (
        <Button
          onClick={(event) => {
            focusAround(event, 'section')
            setOpen(true)
          }}
        >
          {t('details.showChecksums')}
        </Button>
      )}
      {isOpen && (
        <dl className="FileInfo__checksums">
          {algorithms.map((algorithm) => (
            <Checksum
              key={algorithm}
              algorithm={algorithm}
              isImmediate={algorithm === IMMEDIATE}
              load={(signal) => checksum(algorithm, signal)}
              onCopy={onCopy}
            />
          ))}
        </dl>
      )}
    </section>
  )
}

interface MoreInfoProps {
  subject: string
  load(signal: AbortSignal): Promise<readonly InfoItem[]>
}

function MoreInfo({ subject, load }: MoreInfoProps) {
  const { t } = useTranslation()
  const [attempts, setAttempts] = useState(0)
  const result = useAsync(`${attempts} ${subject}`, load)
  if (result.status === 'loading') {
    return (
      <div className="FileInfo__waiting">
        <dt>
          <span />
        </dt>
        <dd>
          <span role="status" aria-label={t('common.loading')} />
        </dd>
      </div>
    )
  }
  if (result.status === 'failed') {
    return (
      <div className="FileInfo__failed">
        <dt>
          <span role="alert">{t('details.moreFailed')}</span>
        </dt>
        <dd>
          <Button
            tone="quiet"
            onClick={(event) => {
              focusAround(event, '.FileInfo')
              setAttempts(attempts + 1)
            }}
          >
            {t('common.tryAgain')}
          </Button>
        </dd>
      </div>
    )
  }
  return result.value.map(({ term, text, title }) => (
    <InfoRow key={term} term={term}>
      <span title={title}>{text}</span>
    </InfoRow>
  ))
}
