import { useId } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isImplied, withPermission } from '#ui/lib/accounts/permissions.ts'
import type { Permission, Permissions } from '#wire/permissions.ts'
import { Checkbox } from '../fields/Checkbox.tsx'
import './PermissionsEditor.css'

/** The display order: admin first, then from harmless to dangerous. */
const ORDER: readonly Permission[] = [
  'admin',
  'create',
  'rename',
  'modify',
  'delete',
  'download',
  'share',
  'execute',
]

interface PermissionsEditorProps {
  /** The permissions that can be given; all by default. */
  only?: readonly Permission[]
  /** Whether the server runs commands. */
  hasCommands?: boolean
  value: Permissions
  onChange(permissions: Permissions): void
}

/** A checkbox for each permission. The one for commands is only shown if the server runs commands. */
export function PermissionsEditor({
  only = ORDER,
  hasCommands = false,
  value,
  onChange,
}: PermissionsEditorProps) {
  const { t } = useTranslation()
  const shown = ORDER.filter((name) => only.includes(name) && (name !== 'execute' || hasCommands))
  return (
    <fieldset className="PermissionsEditor" aria-label={t('settings.permissions.title')}>
      {shown.map((name) => (
        <PermissionBox
          key={name}
          name={name}
          checked={value[name]}
          disabled={isImplied(value, name)}
          onChange={(isGranted) => onChange(withPermission(value, name, isGranted))}
        />
      ))}
    </fieldset>
  )
}

interface PermissionBoxProps {
  name: Permission
  checked: boolean
  disabled: boolean
  onChange(isGranted: boolean): void
}

function PermissionBox({ name, checked, disabled, onChange }: PermissionBoxProps) {
  const { t } = useTranslation()
  const id = useId()
  const hintId = useId()
  return (
    <div className="PermissionsEditor__box">
      <Checkbox
        id={id}
        aria-describedby={hintId}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label className="PermissionsEditor__name" htmlFor={id}>
          {t(`settings.permissions.${name}.title`)}
        </label>
        <span className="PermissionsEditor__hint" id={hintId}>
          {t(`settings.permissions.${name}.hint`)}
        </span>
      </div>
    </div>
  )
}
