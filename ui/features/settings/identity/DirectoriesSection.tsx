import { Button } from '#ui/components/controls/Button.tsx'
import { Badge } from '#ui/components/icons/Badge.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { LoginDirectory } from '#wire/api/directory.ts'
import type { Fault } from '#wire/fault.ts'
import { AccessList } from '../rows/AccessList.tsx'
import { AccessRow } from '../rows/AccessRow.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'

interface DirectoriesSectionProps {
  fault: Fault | undefined
  /** Undefined while they load. */
  directories: readonly LoginDirectory[] | undefined
  /** Opens the form of a directory; undefined: of a new one. */
  onEdit(stored: LoginDirectory | undefined): void
}

/** The directories that users can log in with. */
export function DirectoriesSection({ fault, directories, onEdit }: DirectoriesSectionProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup
      title={t('settings.identity.directory.title')}
      hint={t('settings.identity.directory.hint')}
      action={
        <Button tone="quiet" icon="plus" onClick={() => onEdit(undefined)}>
          {t('settings.identity.directory.add')}
        </Button>
      }
    >
      <AccessList fault={fault} items={directories} none={t('settings.identity.directory.none')}>
        {(one) => (
          <AccessRow
            key={one.id}
            icon="log-in"
            name={
              <>
                <bdi>{one.label}</bdi>
                {!one.isEnabled && <Badge>{t('settings.identity.directory.off')}</Badge>}
              </>
            }
            facts={<bdi dir="ltr">{one.options.address}</bdi>}
          >
            <Button onClick={() => onEdit(one)}>{t('settings.identity.change')}</Button>
          </AccessRow>
        )}
      </AccessList>
    </SettingGroup>
  )
}
