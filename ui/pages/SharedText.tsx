import { useMemo } from 'react'
import { Loading } from '#ui/components/Loading.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { useAsync } from '#ui/components/use-async.ts'
import { ReadText } from '#ui/features/editor/ReadText.tsx'
import type { SharedTextProps } from '#ui/features/share/SharePreview.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { publicFileUrl, sharePageUrl } from '#ui/lib/share-links.ts'
import { readSharedText } from '#ui/state/public-share.ts'

/** A read-only text behind a link; its relative addresses resolve to paths behind the same link. */
export function SharedText({ share: { hash, token }, name, path }: SharedTextProps) {
  const answer = useAsync(`${hash} ${path}`, (signal) =>
    readSharedText({ hash, token }, path, signal),
  )
  const addresses = useMemo(
    () => ({
      picture: (inside: typeof path) => publicFileUrl({ hash, token }, inside, true),
      page: (inside: typeof path, asFolder: boolean) => sharePageUrl(hash, inside, asFolder),
    }),
    [hash, token],
  )
  if (answer.status === 'loading') return <Loading />
  if (answer.status === 'failed') return <Notice tone="danger">{faultText(answer.error)}</Notice>
  return <ReadText name={name} path={path} text={answer.value} addresses={addresses} />
}
