import { Icon } from '#ui/components/Icon.tsx'
import { IconButton } from '#ui/components/IconButton.tsx'
import { formatMoment, formatSpan } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/location.ts'
import { absoluteUrl, publicFileUrl, sharePageUrl } from '#ui/lib/share-links.ts'
import { session } from '#ui/state/session.ts'
import { ROOT } from '#wire/paths.ts'
import { SHARE_UNITS, type Share } from '#wire/share.ts'
import { autofocus } from './autofocus.ts'
import './ShareLink.css'

interface ShareLinkProps {
  share: Share
  /** It was just made, so its copy button is at hand. */
  isNew: boolean
  /** The address copied last. */
  copied: string | undefined
  onCopy(url: string): void
  onDelete(): void
}

/** One link: its address, how long it lasts, and what to do with it. */
export function ShareLink({ share, isNew, copied, onCopy, onDelete }: ShareLinkProps) {
  const { t } = useTranslation()
  const { hash, hasPassword, username, userID } = share
  const isForeign = username !== undefined && userID !== session.user?.id
  const page = absoluteUrl(withBase(sharePageUrl(hash)))
  const download = absoluteUrl(publicFileUrl({ hash }, ROOT))
  return (
    <li className="ShareLink" data-hash={hash}>
      <Icon name={hasPassword ? 'lock' : 'link'} />
      <div className="ShareLink__main">
        <span className="ShareLink__url" dir="ltr" title={page}>
          <span className="wide-only">{location.host}</span>
          {withBase(sharePageUrl(hash))}
        </span>
        <span className="ShareLink__facts">
          {hasPassword && <span>{t('share.withPassword')}</span>}
          <Lifetime expire={share.expire} />
          {isForeign && <span>{t('share.by', { name: username })}</span>}
        </span>
      </div>
      <IconButton
        icon={copied === page ? 'check' : 'copy'}
        size="s"
        label={t('share.copyLink')}
        ref={isNew ? autofocus : null}
        onClick={() => onCopy(page)}
      />
      <IconButton
        icon={copied === download ? 'check' : 'file-down'}
        size="s"
        label={t(hasPassword ? 'share.noDownload' : 'share.copyDownload')}
        disabled={hasPassword}
        onClick={() => onCopy(download)}
      />
      <IconButton icon="trash-2" size="s" label={t('share.deleteLink')} onClick={onDelete} />
    </li>
  )
}

/** Time left in words; the last day stands out. */
function Lifetime({ expire }: Pick<Share, 'expire'>) {
  const { t } = useTranslation()
  if (expire === 0) return <span>{t('share.permanent')}</span>
  const leftSec = expire - Date.now() / 1000
  return (
    <span
      title={formatMoment(new Date(expire * 1000))}
      data-soon={leftSec < SHARE_UNITS.days || undefined}
    >
      {leftSec > 0 ? t('share.left', { span: formatSpan(leftSec) }) : t('share.over')}
    </span>
  )
}
