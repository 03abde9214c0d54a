import { useSnapshot } from 'valtio'
import { formatList } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import { NoPrograms } from './NoPrograms.tsx'
import './OwnPrograms.css'

/** Shown before the first command: the programs that the user may run. */
export function OwnPrograms() {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const programs = user?.commands ?? []
  return (
    <p className="OwnPrograms" dir="auto">
      {programs.length > 0 ? t('shell.programs', { list: formatList(programs) }) : <NoPrograms />}
    </p>
  )
}
