import { useState } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { LostShareNotice } from '#ui/components/feedback/LostShareNotice.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { QrCode } from '#ui/components/pictures/QrCode.tsx'
import { formatMoment, formatNumber, formatSpan } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl, publicFileUrl, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { session } from '#ui/state/session/session.ts'
import type { NewestShare } from '#ui/state/sharing/shares.ts'
import { SHARE_UNITS, type Share } from '#wire/api/share.ts'
import { nameOf, parsePath, ROOT } from '#wire/paths.ts'
import { autofocus } from '../parts/autofocus.ts'
import './ShareLink.css'

interface ShareLinkProps {
  share: Share
  /** Whether the name of the shared entry is shown. */
  showsName: boolean
  /** Set if this share was just created: the copy button then gets the focus, and the password can be shown. */
  newest: NewestShare | undefined
  /** The text that was copied last; undefined if none was. */
  copied: string | undefined
  /** @param success the message after success */
  onCopy(text: string, success: string): void
  onDelete(): void
  /** Makes it a link to what has the name now. */
  onAdopt(): void
}

/** One share: its link, its duration, and its actions. */
export function ShareLink(props: ShareLinkProps) {
  const { share, showsName, newest, copied, onCopy, onDelete, onAdopt } = props
  const { t } = useTranslation()
  const [hasQr, setHasQr] = useState(false)
  const { hash, hasPassword, username, userID, visits } = share
  const isForeign = username !== undefined && userID !== session.user?.id
  const page = absoluteUrl(withBase(sharePageUrl(hash)))
  const { host, pathname } = new URL(page)
  const download = absoluteUrl(publicFileUrl({ hash }, ROOT))
  return (
    <li className="ShareLink" data-hash={hash}>
      <Icon name={hasPassword ? 'lock' : 'link'} />
      <div className="ShareLink__main">
        {showsName && (
          <strong className="ShareLink__name">
            <Name>{nameOf(parsePath(share.path))}</Name>
          </strong>
        )}
        <span className="ShareLink__url" dir="ltr" title={page}>
          <span className="wide-only">{host}</span>
          {pathname}
        </span>
        <span className="ShareLink__facts">
          {hasPassword && <span>{t('share.withPassword')}</span>}
          <Lifetime expire={share.expire} />
          <span>
            {visits > 0
              ? t('share.visits', { count: visits, value: formatNumber(visits) })
              : t('share.noVisits')}
          </span>
          {isForeign && <span>{t('share.by', { name: username })}</span>}
        </span>
      </div>
      <div className="ShareLink__actions">
        <IconButton
          icon="qr-code"
          size="s"
          label={t('share.qr')}
          pressed={hasQr}
          onClick={() => setHasQr(!hasQr)}
        />
        <IconButton
          icon={copied === page ? 'check' : 'copy'}
          size="s"
          label={t('share.copyLink')}
          ref={newest ? autofocus : null}
          onClick={() => onCopy(page, t('share.copied'))}
        />
        <IconButton
          icon={copied === download ? 'check' : 'file-down'}
          size="s"
          label={t(hasPassword ? 'share.noDownload' : 'share.copyDownload')}
          disabled={hasPassword}
          onClick={() => onCopy(download, t('share.copied'))}
        />
        <IconButton icon="trash-2" size="s" label={t('share.deleteLink')} onClick={onDelete} />
      </div>
      {share.lost && (
        <div className="ShareLink__more">
          <LostShareNotice lost={share.lost} onAdopt={onAdopt} />
        </div>
      )}
      {newest?.password && (
        <div className="ShareLink__more">
          <p className="ShareLink__password">
            {t('share.itsPassword')} <code dir="ltr">{newest.password}</code>
          </p>
          <IconButton
            icon={copied === newest.password ? 'check' : 'copy'}
            size="s"
            label={t('share.copyPassword')}
            onClick={() => onCopy(newest.password, t('share.passwordCopied'))}
          />
        </div>
      )}
      {hasQr && (
        <div className="ShareLink__more">
          <QrCode text={page} sizePx={144} label={t('share.qrOf', { url: page })} />
          <p>{t('share.qrScan')}</p>
        </div>
      )}
    </li>
  )
}

/** The remaining time; the last day is highlighted. */
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
