import { Button } from '#ui/components/Button.tsx'
import { Empty } from '#ui/components/Empty.tsx'
import { Icon, type IconName } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ErrorKind } from '#ui/lib/error-kind.ts'
import { FILES, filesUrl, goTo } from '#ui/lib/location.ts'
import { nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { MissingFolder } from './MissingFolder.tsx'

interface ErrorPanelProps {
  kind: ErrorKind
  /** What could not be shown; without it, the page itself. */
  path?: TreePath | undefined
  onRetry?: (() => void) | undefined
}

/** A page that could not be shown: what happened, to what, and where to go now. */
export function ErrorPanel({ kind, path, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation()
  return (
    <Empty
      picture={kind === 'notFound' ? <MissingFolder /> : <Icon name={PICTURES[kind]} />}
      title={t(`errors.${kind}.title`)}
      hint={
        path === undefined
          ? t(`errors.${kind}.pageHint`)
          : t(`errors.${kind}.hint`, { name: nameOf(path) || t('places.home') })
      }
      code={t(`errors.${kind}.code`)}
      actions={<WaysOut kind={kind} path={path} onRetry={onRetry} />}
    />
  )
}

const PICTURES: Record<Exclude<ErrorKind, 'notFound'>, IconName> = {
  forbidden: 'lock',
  internal: 'triangle-alert',
  connection: 'cloud-off',
}

function WaysOut({ kind, path, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation()
  const above = path === undefined ? ROOT : parentPath(path)
  const retries = onRetry && (kind === 'internal' || kind === 'connection')
  const goesUp = !retries && above !== ROOT
  return (
    <>
      {retries && (
        <Button tone="accent" onClick={onRetry}>
          {t('common.tryAgain')}
        </Button>
      )}
      {goesUp && (
        <Button tone="accent" onClick={() => goTo(filesUrl(above, true))}>
          {t('errors.goTo', { name: nameOf(above) })}
        </Button>
      )}
      {path !== ROOT && (
        <Button {...(!retries && !goesUp && { tone: 'accent' })} onClick={() => goTo(`${FILES}/`)}>
          {t('errors.home')}
        </Button>
      )}
    </>
  )
}
