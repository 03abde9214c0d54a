import { Button } from '#ui/components/controls/Button.tsx'
import { deviceName } from '#ui/i18n/device-name.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { endSessions } from '#ui/state/administration/sessions.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import type { SessionInfo } from '#wire/api/session.ts'
import type { Fault } from '#wire/fault.ts'
import { AccessList } from '../rows/AccessList.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { DeviceRows } from './DeviceRows.tsx'

interface SessionListProps {
  title: string
  hint: string
  /** Why the list could not be loaded. */
  fault: Fault | undefined
  /** Undefined while they load. */
  sessions: readonly SessionInfo[] | undefined
  /** Called after sessions have ended, to load the list again. */
  onEnded(): void
}

/** Active sessions, with buttons that end them. */
export function SessionList({ title, hint, fault, sessions, onEnded }: SessionListProps) {
  const { t } = useTranslation()
  const others = sessions?.filter(({ current, userID }) => !current && isOwn(userID)) ?? []

  async function end(ending: readonly SessionInfo[]): Promise<void> {
    const needsConfirmation = ending.length > 1 || ending.some(({ userID }) => !isOwn(userID))
    if (needsConfirmation && !(await ask({ name: 'endSessions', sessions: ending }))) return
    try {
      await endSessions(ending)
      toastSuccess(t('settings.sessions.ended', { count: ending.length }))
    } catch (error) {
      toastError(error)
    }
    onEnded()
  }

  return (
    <SettingGroup
      title={title}
      hint={hint}
      action={
        others.length > 1 && (
          <Button tone="quiet" onClick={() => void end(others)}>
            {t('settings.sessions.endOthers')}
          </Button>
        )
      }
    >
      <AccessList fault={fault} items={sessions && byDevice(sessions)}>
        {(group) => (
          <DeviceRows key={group[0]?.id} sessions={group} onEnd={(one) => void end([one])} />
        )}
      </AccessList>
    </SettingGroup>
  )
}

/** @returns the sessions of each user on each kind of device, the last used first */
function byDevice(sessions: readonly SessionInfo[]): readonly SessionInfo[][] {
  const devices = Map.groupBy(sessions, ({ userID, agent }) => `${userID} ${deviceName(agent)}`)
  return [...devices.values()].map((group) => group.sort(currentThenLastUsed))
}

function currentThenLastUsed(one: SessionInfo, other: SessionInfo): number {
  return (
    Number(other.current) - Number(one.current) || Date.parse(other.seen) - Date.parse(one.seen)
  )
}

function isOwn(userID: number): boolean {
  return userID === session.user?.id
}
