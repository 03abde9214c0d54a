import { Button } from '#ui/components/controls/Button.tsx'
import { Empty } from '#ui/components/feedback/Empty.tsx'
import { Icon, type IconName } from '#ui/components/icons/Icon.tsx'
import { errorCodeOf } from '#ui/i18n/error-code.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ErrorKind } from '#ui/lib/error-kind.ts'

interface ShareErrorProps {
  problem: ErrorKind
  /** The status of the response; undefined if there was none. */
  status: number | undefined
  onRetry(): void
}

/** A share that cannot be shown: the reason, and the visitor's options. */
export function ShareError({ problem, status, onRetry }: ShareErrorProps) {
  const { t } = useTranslation()
  const mayRetry = problem === 'internal' || problem === 'connection'
  return (
    <Empty
      picture={<Icon name={ICONS[problem]} />}
      title={t(isOfItem(problem) ? `errors.${problem}.title` : `share.errors.${problem}.title`)}
      hint={t(isOfItem(problem) ? `errors.${problem}.pageHint` : `share.errors.${problem}.hint`)}
      code={errorCodeOf(problem, status)}
      actions={
        mayRetry && (
          <Button tone="accent" onClick={onRetry}>
            {t('common.tryAgain')}
          </Button>
        )
      }
    />
  )
}

/** Something in the shared folder, such as a symbolic link, cannot be shown: the share itself works. */
function isOfItem(problem: ErrorKind): problem is 'brokenLink' | 'linkOutside' | 'unreadable' {
  return ['brokenLink', 'linkOutside', 'unreadable'].includes(problem)
}

const ICONS: Record<ErrorKind, IconName> = {
  notFound: 'unlink',
  brokenLink: 'unlink',
  forbidden: 'lock',
  unreadable: 'lock',
  linkOutside: 'unlink',
  internal: 'triangle-alert',
  connection: 'cloud-off',
}
