import { useEffect, useState } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { loadTestResult } from '#ui/state/administration/identity.ts'
import type { ProviderTest } from '#wire/api/identity.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { OutcomeText } from './OutcomeText.tsx'
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
          <OutcomeText outcome={test.outcome} />
          <details>
            <summary>{t('settings.identity.claims')}</summary>
            <pre dir="ltr">{JSON.stringify(test.claims, null, 2)}</pre>
          </details>
        </div>
      )}
    </SettingGroup>
  )
}
