import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { Icon, type IconName } from '#ui/components/icons/Icon.tsx'
import { errorCodeOf } from '#ui/i18n/error-code.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ErrorKind } from '#ui/lib/error-kind.ts'
import { FILES, filesUrl, goTo } from '#ui/lib/page/location.ts'
import { findNearestFolder } from '#ui/state/folder/nearest.ts'
import { nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { MissingFolder } from './MissingFolder.tsx'

interface ErrorPanelProps {
  kind: ErrorKind
  /** The status of the response; undefined if there was none. */
  status?: number | undefined
  /** The path that cannot be shown; undefined if the page is no file or folder. */
  path?: TreePath | undefined
  onRetry?: (() => void) | undefined
}

/** The panel of a failed page: the error, the path concerned, and links to continue. */
export function ErrorPanel({ kind, status, path, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation()
  const isSearching = kind === 'notFound' && path !== undefined && path !== ROOT
  const result = useAsync(isSearching ? path : undefined, (signal) =>
    findNearestFolder(path ?? ROOT, signal),
  )
  const nearest = result.status === 'loaded' ? result.value : undefined
  return (
    <Empty
      picture={kind === 'notFound' ? <MissingFolder /> : <Icon name={PICTURES[kind]} />}
      title={t(`errors.${kind}.title`)}
      hint={
        path === undefined
          ? t(`errors.${kind}.pageHint`)
          : t(`errors.${kind}.hint`, { name: nameOf(path) || t('places.home') })
      }
      code={errorCodeOf(kind, status)}
      actions={
        <ErrorActions
          kind={kind}
          path={path}
          above={isSearching ? nearest : parentPath(path ?? ROOT)}
          onRetry={onRetry}
        />
      }
    />
  )
}

const PICTURES: Record<Exclude<ErrorKind, 'notFound'>, IconName> = {
  brokenLink: 'unlink',
  forbidden: 'lock',
  unreadable: 'lock',
  linkOutside: 'unlink',
  internal: 'triangle-alert',
  connection: 'cloud-off',
}

interface ErrorActionsProps extends ErrorPanelProps {
  /** The folder above to offer, for a missing path the nearest that exists; undefined until it is known. */
  above: TreePath | undefined
}

function ErrorActions({ kind, path, above = ROOT, onRetry }: ErrorActionsProps) {
  const { t } = useTranslation()
  const mayRetry = onRetry !== undefined && (kind === 'internal' || kind === 'connection')
  const mayGoUp = !mayRetry && above !== ROOT
  return (
    <>
      {mayRetry && (
        <Button tone="accent" onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
      {mayGoUp && (
        <Button tone="accent" onClick={() => goTo(filesUrl(above, true))}>
          {t('errors.goTo', { name: nameOf(above) })}
        </Button>
      )}
      {path !== ROOT && (
        <Button
          {...(!mayRetry && !mayGoUp && { tone: 'accent' })}
          onClick={() => goTo(`${FILES}/`)}
        >
          {t('errors.home')}
        </Button>
      )}
    </>
  )
}
