import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { LostShareNotice } from '#ui/components/feedback/LostShareNotice.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatMoment, formatNumber, formatSpan } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl, sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import type { Share } from '#wire/api/share.ts'
import { SettingsTable, SettingsTableRow } from '../rows/SettingsTable.tsx'
import './ShareTable.css'

interface ShareTableProps {
  shares: readonly Share[]
  /** Whether the owners are shown, for administrators. */
  showsOwners: boolean
  onCopy(url: string): void
  onDelete(share: Share): void
  /** Makes it a link to what has the name now. */
  onAdopt(share: Share): void
}

/** Shares: their paths, durations, visits and actions. */
export function ShareTable({ shares, showsOwners, ...actions }: ShareTableProps) {
  const { t } = useTranslation()
  return (
    <SettingsTable
      className="ShareTable"
      label={t('settings.shares.title')}
      columns={[
        { title: t('settings.shares.path') },
        { title: t('settings.shares.lasts'), name: 'lasts' },
        { title: t('settings.shares.visits'), name: 'visits' },
        ...(showsOwners ? [{ title: t('settings.shares.owner'), name: 'owner' }] : []),
        { title: t('places.actions'), name: 'actions', hidden: true },
      ]}
    >
      {shares.map((share) => (
        <ShareTableRow key={share.hash} share={share} showsOwner={showsOwners} {...actions} />
      ))}
    </SettingsTable>
  )
}

interface RowProps extends Pick<ShareTableProps, 'onCopy' | 'onDelete' | 'onAdopt'> {
  share: Share
  showsOwner: boolean
}

function ShareTableRow({ share, showsOwner, onCopy, onDelete, onAdopt }: RowProps) {
  const { t } = useTranslation()
  const page = withBase(sharePageUrl(share.hash))
  const isFolder = share.path.endsWith('/')
  return (
    <SettingsTableRow className="ShareTable__row" data-hash={share.hash}>
      <th scope="row">
        <span className="ShareTable__name">
          <Icon name={isFolder ? 'folder' : 'file-text'} />
          <a href={page} target="_blank" rel="noreferrer" title={shownPath(share.path)}>
            <bdi>{shownPath(share.path)}</bdi>
          </a>
          {share.hasPassword && (
            <span className="ShareTable__lock" title={t('share.withPassword')}>
              <Icon name="lock" />
              <span className="visually-hidden">{t('share.withPassword')}</span>
            </span>
          )}
        </span>
        {share.lost && <LostShareNotice lost={share.lost} onAdopt={() => onAdopt(share)} />}
      </th>
      <td data-column="lasts">{lifetime()}</td>
      <td data-column="visits">
        <span className="wide-only">{formatNumber(share.visits)}</span>
        <span className="narrow-only">{visits()}</span>
      </td>
      {showsOwner && (
        <td data-column="owner">
          <bdi>{share.username}</bdi>
        </td>
      )}
      <td data-column="actions">
        <IconButton
          icon="copy"
          size="s"
          label={t('settings.shares.copyOf', { path: share.path })}
          onClick={() => onCopy(absoluteUrl(page))}
        />
        <IconButton
          icon="trash-2"
          size="s"
          label={t('settings.shares.deleteOf', { path: share.path })}
          onClick={() => onDelete(share)}
        />
      </td>
    </SettingsTableRow>
  )

  function visits() {
    const { visits: count } = share
    return count === 0
      ? t('share.noVisits')
      : t('share.visits', { count, value: formatNumber(count) })
  }

  function lifetime() {
    if (share.expire === 0) return t('share.permanent')
    const leftSec = share.expire - Date.now() / 1000
    return (
      <span title={formatMoment(new Date(share.expire * 1000))}>
        {leftSec > 0 ? t('share.left', { span: formatSpan(leftSec) }) : t('share.over')}
      </span>
    )
  }
}
