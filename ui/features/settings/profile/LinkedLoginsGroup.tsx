import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { formatDate, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { identityProblemText } from '#ui/i18n/identity-problems.ts'
import { goTo, PROFILE } from '#ui/lib/page/location.ts'
import { beginLink, linkIdentity, unlinkIdentity } from '#ui/state/administration/identity.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import type { ShownDirectory } from '#wire/api/directory.ts'
import type { LinkedIdentity, ShownProvider } from '#wire/api/identity.ts'
import { AccessRow } from '../rows/AccessRow.tsx'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'
import '../rows/AccessList.css'

interface LinkedLoginsGroupProps {
  linked: readonly LinkedIdentity[]
  /** Those that can be linked. */
  providers: readonly ShownProvider[]
  /** Directories of which an account can be linked. */
  directories: readonly ShownDirectory[]
  /** Called after a change, to load the list again. */
  onChanged(): void
}

/** The accounts at providers and in directories with which the user logs in. */
export function LinkedLoginsGroup({
  linked,
  providers,
  directories,
  onChanged,
}: LinkedLoginsGroupProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const isReturned = useRef(false)

  // A provider has sent the browser back: the query has the flow, or a problem.
  useEffect(() => {
    const query = new URLSearchParams(location.search)
    const [flow, problem] = [query.get('flow'), query.get('problem')]
    if (isReturned.current || (!flow && !problem)) return
    isReturned.current = true
    goTo(PROFILE, { replace: true })
    if (problem) toastError(identityProblemText(problem))
    if (!flow) return
    linkIdentity(flow)
      .then((isLinked) => {
        if (isLinked) toastSuccess(t('settings.identity.linked.done'))
        onChanged()
      })
      .catch(toastError)
  }, [t, onChanged])

  async function unlink({ id }: LinkedIdentity): Promise<void> {
    try {
      if (await unlinkIdentity(id)) toastSuccess(t('settings.identity.linked.undone'))
    } catch (error) {
      toastError(error)
    }
    onChanged()
  }

  async function linkDirectory(directory: ShownDirectory): Promise<void> {
    if (await ask({ name: 'linkDirectory', directory })) {
      toastSuccess(t('settings.identity.linked.done'))
    }
    onChanged()
  }

  const canLink = providers.length + directories.length > 0
  if (linked.length === 0 && !canLink) return null
  return (
    <SettingGroup
      title={t('settings.identity.linked.title')}
      hint={t('settings.identity.linked.hint')}
    >
      <ul className="AccessList">
        {linked.map((identity) => (
          <AccessRow
            key={identity.id}
            icon="log-in"
            name={<bdi>{identity.provider}</bdi>}
            facts={
              <>
                <span>
                  <bdi>{identity.label}</bdi>
                </span>
                {identity.used === '' ? (
                  <span>{t('settings.appPasswords.neverUsed')}</span>
                ) : (
                  <span title={formatFullDate(identity.used)}>
                    {t('settings.appPasswords.used', {
                      moment: formatDate(identity.used, user?.dateFormat ?? false),
                    })}
                  </span>
                )}
              </>
            }
          >
            <IconButton
              icon="unlink"
              label={`${t('settings.appPasswords.remove')}: ${identity.provider}`}
              onClick={() => void unlink(identity)}
            />
          </AccessRow>
        ))}
        {linked.length === 0 && (
          <li className="AccessList__none">{t('settings.identity.linked.none')}</li>
        )}
      </ul>
      {canLink && (
        <SettingFooter>
          {providers.map(({ id, label }) => (
            <Button key={id} tone="quiet" onClick={() => beginLink(id)}>
              {t('settings.identity.linked.link', { name: label })}
            </Button>
          ))}
          {directories.map((one) => (
            <Button key={one.id} tone="quiet" onClick={() => void linkDirectory(one)}>
              {t('settings.identity.linked.link', { name: one.label })}
            </Button>
          ))}
        </SettingFooter>
      )}
    </SettingGroup>
  )
}
