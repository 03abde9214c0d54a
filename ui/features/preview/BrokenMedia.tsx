import { useEffect, useEffectEvent } from 'react'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { mediaProblemOf } from '#ui/state/media/media-damage.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'

interface BrokenMediaProps {
  file: FileEntry
  /** Whether the connection broke while the file was loaded. */
  isCut: boolean
  /** The reason if the file is not damaged. */
  unknownFormat: 'viewer.noFilm' | 'viewer.noSound'
  /** Shows the player again. */
  onRetry(): void
}

/** A film or recording that does not play, and the reason. If the reason may pass, the user can try again. */
export function BrokenMedia({ file, isCut, unknownFormat, onRetry }: BrokenMediaProps) {
  const { t } = useTranslation()
  const path = parsePath(file.path)
  const problem = useAsync(path, (signal) => mediaProblemOf(file, path, signal))
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
  return <FallbackCard file={file} hint={t(isDamaged ? 'documents.broken' : unknownFormat)} />
}
