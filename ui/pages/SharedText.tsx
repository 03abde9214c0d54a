import { useMemo } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { TextView } from '#ui/features/editor/markdown/TextView.tsx'
import type { SharedReaderProps } from '#ui/features/share/file/SharePreview.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { publicFileUrl, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { readSharedText } from '#ui/state/sharing/public-share.ts'

/** A read-only text in a share; its relative URLs resolve to paths in the same share. */
export function SharedText({
  share: { hash, token },
  name,
  path,
}: Omit<SharedReaderProps, 'kind'>) {
  const result = useAsync(`${hash} ${path}`, (signal) =>
    readSharedText({ hash, token }, path, signal),
  )
  const urls = useMemo(
    () => ({
      picture: (inside: typeof path) => publicFileUrl({ hash, token }, inside, true),
      page: (inside: typeof path, asFolder: boolean) => sharePageUrl(hash, inside, asFolder),
    }),
    [hash, token],
  )
  if (result.status === 'loading') return <Loading />
  if (result.status === 'failed') return <Notice tone="danger">{faultText(result.error)}</Notice>
  return <TextView name={name} path={path} text={result.value} urls={urls} />
}
