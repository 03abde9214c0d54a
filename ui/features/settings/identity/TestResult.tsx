import { useEffect, useState } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { identityProblemText } from '#ui/i18n/identity-problems.ts'
import { loadTestResult } from '#ui/state/administration/identity.ts'
import type { ProviderTest } from '#wire/api/identity.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import './TestResult.css'

/** What a provider sent in a test, and what a log-in would do. */
export function TestResult({ flow }: { flow: string }) {
  const { t } = useTranslation()
  const [test, setTest] = useState<ProviderTest>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    loadTestResult(flow).then(setTest, (error) => setProblem(faultText(error)))
  }, [flow])

  return (
    <SettingGroup title={t('settings.identity.tested')}>
      {problem && <Notice tone="danger">{problem}</Notice>}
      {!test && !problem && <Loading />}
      {test && (
        <div className="TestResult">
          <p className="TestResult__outcome">{outcomeOf(test)}</p>
          {test.outcome.refusal === '' && (
            <p>{t(`settings.identity.admin.${test.outcome.adminReason}`)}</p>
          )}
          {test.outcome.groups && (
            <p>{t('settings.identity.groups', { list: test.outcome.groups.join(', ') || '–' })}</p>
          )}
          <details>
            <summary>{t('settings.identity.claims')}</summary>
            <pre dir="ltr">{JSON.stringify(test.claims, null, 2)}</pre>
          </details>
        </div>
      )}
    </SettingGroup>
  )

  function outcomeOf({ outcome: { username, isNew, refusal } }: ProviderTest): string {
    if (refusal !== '') {
      return t('settings.identity.refuse', { reason: identityProblemText(refusal) })
    }
    return t(isNew ? 'settings.identity.make' : 'settings.identity.user', { name: username })
  }
}
