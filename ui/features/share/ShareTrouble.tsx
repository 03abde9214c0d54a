import { Button } from '#ui/components/Button.tsx'
import { Empty } from '#ui/components/Empty.tsx'
import { Icon, type IconName } from '#ui/components/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Trouble } from '#ui/lib/trouble.ts'

interface ShareTroubleProps {
  trouble: Trouble
  onRetry(): void
}

/** A link that shows nothing: why, and what its visitor can do about it. */
export function ShareTrouble({ trouble, onRetry }: ShareTroubleProps) {
  const { t } = useTranslation()
  const mayPass = trouble === 'internal' || trouble === 'connection'
  return (
    <Empty
      picture={<Icon name={PICTURES[trouble]} />}
      title={t(`share.trouble.${trouble}.title`)}
      hint={t(`share.trouble.${trouble}.hint`)}
      code={t(`errors.${trouble}.code`)}
      actions={
        mayPass && (
          <Button tone="accent" onClick={onRetry}>
            {t('common.tryAgain')}
          </Button>
        )
      }
    />
  )
}

const PICTURES: Record<Trouble, IconName> = {
  notFound: 'unlink',
  forbidden: 'lock',
  internal: 'triangle-alert',
  connection: 'cloud-off',
}
