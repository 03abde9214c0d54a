import { type FormEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { PermissionsEditor } from '#ui/components/rights/PermissionsEditor.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { changesBetween } from '#ui/lib/accounts/changes.ts'
import { goTo, USERS } from '#ui/lib/page/location.ts'
import { inviteNew, mayInvite } from '#ui/state/administration/invitations.ts'
import {
  createUser,
  type EditedUser,
  removeUser,
  saveUser,
} from '#ui/state/administration/users.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import { releaseForm } from '#ui/state/session/forms.ts'
import { hasPassword } from '#ui/state/session/reauth.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { withLeadingSlash } from '#wire/api/rules.ts'
import type { User } from '#wire/api/user.ts'
import type { Permissions } from '#wire/permissions.ts'
import { CommandsGroup } from '../rights/CommandsGroup.tsx'
import { RulesEditor } from '../rights/RulesEditor.tsx'
import { ruleProblemOf } from '../rights/rules.ts'
import { FormFooter } from '../rows/FormFooter.tsx'
import { type FormError, formErrorOf } from '../rows/form-error.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { useUnsavedChanges } from '../rows/use-unsaved-changes.ts'
import { AccountFields } from './AccountFields.tsx'
import { InvitationGroup } from './InvitationGroup.tsx'
import { UserSecondFactor } from './UserSecondFactor.tsx'
import './UserForm.css'

interface UserFormProps {
  edited: EditedUser
  /** Called after saving, with the user as stored by the server. */
  onSaved(user: User): void
}

/** The form of a new or existing account. Edited values stay until they are saved. */
export function UserForm({ edited, onSaved }: UserFormProps) {
  const { t } = useTranslation()
  const isNew = edited.user.id === 0
  const isSelf = edited.user.id === useSnapshot(session).user?.id
  const [before, setBefore] = useState(() =>
    edited.createsHomeFolder ? { ...edited.user, scope: '' } : edited.user,
  )
  const [user, setUser] = useState(before)
  const [createsHome, setCreatesHome] = useState(edited.createsHomeFolder)
  const [problem, setProblem] = useState<FormError>()
  const [isBusy, setBusy] = useState(false)
  const userToSave = { ...user, rules: user.rules.map(withLeadingSlash) }
  const invites = isNew && mayInvite() && user.password === ''
  const hasChanges = JSON.stringify(user) !== JSON.stringify(before)
  useUnsavedChanges(hasChanges)

  function change(changes: Partial<User>): void {
    setUser((now) => ({ ...now, ...changes }))
    setProblem(undefined)
  }

  /** Administrators have no locked password (docs/specification.md 6). */
  function changePermissions(perm: Permissions): void {
    change({ perm, ...(perm.admin && { lockPassword: false }) })
  }

  async function runRequest(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(formErrorOf(error))
    }
    setBusy(false)
  }

  async function create(): Promise<void> {
    const url = await createUser(userToSave)
    if (!url) return
    toastSuccess(t('settings.user.created'))
    closeForm(url)
  }

  async function invite(): Promise<void> {
    const id = await inviteNew(userToSave)
    if (id === undefined) return
    closeForm(`${USERS}/${id}`)
  }

  async function save(): Promise<void> {
    const saved = await saveUser(before, userToSave)
    if (!saved) return
    toastSuccess(t('settings.user.updated'))
    setBefore(saved)
    // What was typed during the save stays.
    setUser((now) => ({ ...saved, ...changesBetween(user, now) }))
    onSaved(saved)
  }

  async function remove(): Promise<void> {
    if (!(await removeUser(before))) return
    toastSuccess(t('settings.user.deleted'))
    closeForm(USERS)
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (user.rules.some(ruleProblemOf)) setProblem({ text: t('settings.rules.problems.any') })
    else void runRequest(invites ? invite : isNew ? create : save)
  }

  return (
    <form className="UserForm" onSubmit={submit} autoComplete="off">
      <AccountFields
        user={user}
        isNew={isNew}
        createsHome={edited.createsHomeFolder ? createsHome : undefined}
        problem={problem}
        mayInvite={isNew && mayInvite()}
        onChange={change}
        onHome={(checked) => {
          setCreatesHome(checked)
          change({ scope: checked ? '' : edited.user.scope })
        }}
      />
      {!isNew && mayInvite() && <InvitationGroup userId={user.id} />}
      {!isNew && hasPassword() && !isSelf && <UserSecondFactor userId={user.id} />}
      <SettingGroup title={t('settings.permissions.title')}>
        <PermissionsEditor
          hasCommands={settings.EnableExec}
          value={user.perm}
          onChange={changePermissions}
        />
      </SettingGroup>
      {settings.EnableExec && (
        <CommandsGroup commands={user.commands} onChange={(commands) => change({ commands })} />
      )}
      <RulesEditor
        title={t('settings.rules.title')}
        hint={t('settings.rules.hint')}
        rules={user.rules}
        onChange={(rules) => change({ rules })}
      />
      <FormFooter
        isBusy={isBusy}
        isUnchanged={!isNew && !hasChanges}
        problem={problem?.field ? undefined : problem?.text}
        action={t(
          invites ? 'settings.user.invite' : isNew ? 'settings.user.create' : 'settings.save',
        )}
        discard={t('common.cancel')}
        onDiscard={() => closeForm(USERS)}
      >
        {!isNew && (
          <Button
            tone="quiet"
            data-danger
            disabled={isBusy}
            onClick={() => void runRequest(remove)}
          >
            {t('settings.user.delete')}
          </Button>
        )}
      </FormFooter>
    </form>
  )
}

/** Replaces the history entry, because the page no longer exists. */
function closeForm(url: string): void {
  releaseForm()
  goTo(url, { replace: true })
}
