import { Button } from '#ui/components/Button.tsx'
import { Empty } from '#ui/components/Empty.tsx'
import { Icon, type IconName } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, filesUrl, goTo } from '#ui/lib/location.ts'
import type { Trouble } from '#ui/lib/trouble.ts'
import { nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { MissingFolder } from './MissingFolder.tsx'

interface ErrorPanelProps {
  trouble: Trouble
  /** What could not be shown; without it, the page itself. */
  path?: TreePath | undefined
  onRetry?: (() => void) | undefined
}

/** A page that could not be shown: what happened, to what, and where to go now. */
export function ErrorPanel({ trouble, path, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation()
  return (
    <Empty
      picture={trouble === 'notFound' ? <MissingFolder /> : <Icon name={PICTURES[trouble]} />}
      title={t(`errors.${trouble}.title`)}
      hint={
        path === undefined
          ? t(`errors.${trouble}.pageHint`)
          : t(`errors.${trouble}.hint`, { name: nameOf(path) || t('places.home') })
      }
      code={t(`errors.${trouble}.code`)}
      actions={<WaysOut trouble={trouble} path={path} onRetry={onRetry} />}
    />
  )
}

const PICTURES: Record<Exclude<Trouble, 'notFound'>, IconName> = {
  forbidden: 'lock',
  internal: 'triangle-alert',
  connection: 'cloud-off',
}

function WaysOut({ trouble, path, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation()
  const above = path === undefined ? ROOT : parentPath(path)
  const retries = onRetry && (trouble === 'internal' || trouble === 'connection')
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
