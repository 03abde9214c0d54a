import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { testDirectory } from '#ui/state/administration/directories.ts'
import type { DirectoryChange, DirectoryTest } from '#wire/api/directory.ts'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { OutcomeText } from './OutcomeText.tsx'
import './TestResult.css'

interface DirectoryTestGroupProps {
  /** As it is typed. */
  directory: DirectoryChange
  isDisabled: boolean
}

/** What was asked, as text, and the answer. */
interface Answer {
  question: string
  test?: DirectoryTest
  problem?: string
}

/** Looks for a user in a directory, before it is saved, and shows the entry and what a log-in would do. */
export function DirectoryTestGroup({ directory, isDisabled }: DirectoryTestGroupProps) {
  const { t } = useTranslation()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const [isBusy, setBusy] = useState(false)
  const question = JSON.stringify([directory, username, password])
  // An answer to something else says nothing about what is typed now.
  const { test, problem } = answer?.question === question ? answer : {}

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setAnswer(undefined)
    try {
      setAnswer({ question, test: await testDirectory(directory, { username, password }) })
    } catch (error) {
      setAnswer({ question, problem: faultText(error) })
    }
    setBusy(false)
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <SettingGroup
        title={t('settings.identity.test')}
        hint={t('settings.identity.directory.testHint')}
      >
        <SettingRow title={t('login.username')}>
          {(control) => (
            <Input
              {...control}
              required
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              value={username}
              onChange={(event) => setUsername(event.target.value)}
            />
          )}
        </SettingRow>
        <SettingRow
          title={t('login.password')}
          hint={t('settings.identity.directory.passwordHint')}
        >
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="off"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </SettingRow>
        <div role="status">
          {problem && <Notice tone="danger">{problem}</Notice>}
          {test && <Result test={test} />}
        </div>
        <SettingFooter>
          <Button type="submit" disabled={isDisabled || isBusy || username === ''}>
            {t('settings.identity.test')}
          </Button>
        </SettingFooter>
      </SettingGroup>
    </form>
  )
}

function Result({ test: { dn, attributes, isPasswordRight, outcome } }: { test: DirectoryTest }) {
  const { t } = useTranslation()
  return (
    <div className="TestResult">
      {isPasswordRight !== undefined && (
        <p>{t(`settings.identity.directory.${isPasswordRight ? 'right' : 'wrong'}`)}</p>
      )}
      {isPasswordRight !== false && <OutcomeText outcome={outcome} />}
      <pre dir="ltr">{JSON.stringify({ dn, ...attributes }, null, 2)}</pre>
    </div>
  )
}
