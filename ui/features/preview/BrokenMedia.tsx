import { useEffect, useEffectEvent } from 'react'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'

interface BrokenMediaProps {
  file: FileEntry
  /** Whether it is known that the connection broke while the file was loaded. */
  isCut?: boolean
  /** The reason if the server sends the file, and does not know it as damaged. */
  otherwise:
    | 'viewer.noFilm'
    | 'viewer.noSound'
    | 'viewer.noPicture'
    | 'viewer.noHeif'
    | 'documents.broken'
  /** Shows the file again. */
  onRetry(): void
}

/** A film or recording that does not play, or a picture that is not shown, and the reason. If the reason may pass, the user can try again. */
export function BrokenMedia({ file, isCut = false, otherwise, onRetry }: BrokenMediaProps) {
  const { t } = useTranslation()
  const source = useFileSource()
  const path = parsePath(file.path)
  const problem = useAsync(path, (signal) => source.problemOf(file, path, signal))
  const isSignedInAgain = problem.status === 'loaded' && problem.value === 'signedOut'
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    if (isSignedInAgain) retry()
  }, [isSignedInAgain])
  if (problem.status === 'loading' || isSignedInAgain) return <FallbackCard file={file} />
  if (problem.status === 'failed') {
    return <FallbackCard file={file} hint={faultText(problem.error)} onRetry={onRetry} />
  }
  if (isCut) return <FallbackCard file={file} hint={t('fault.unavailable')} onRetry={onRetry} />
  const isDamaged = problem.value === 'damaged'
  return <FallbackCard file={file} hint={t(isDamaged ? 'documents.broken' : otherwise)} />
}
