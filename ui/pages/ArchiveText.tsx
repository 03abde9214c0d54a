import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import type { ArchiveTextProps } from '#ui/features/archive/ArchiveFile.tsx'
import { TextView } from '#ui/features/editor/markdown/TextView.tsx'
import { faultText } from '#ui/i18n/faults.ts'

/** A read-only text in an archive; its relative URLs resolve to files in the same archive. */
export function ArchiveText({ source, name, path }: ArchiveTextProps) {
  const result = useAsync(`${source.key} ${path}`, (signal) => source.readText(path, signal))
  if (result.status === 'loading') return <Loading />
  if (result.status === 'failed') return <Notice tone="danger">{faultText(result.error)}</Notice>
  const urls = {
    picture: (inside: typeof path) => source.fileUrl(inside, true),
    page: (inside: typeof path, asFolder: boolean) => source.pageUrl({ path: inside, asFolder }),
  }
  return <TextView name={name} path={path} text={result.value} urls={urls} />
}
