import { useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Rule } from '#wire/api/user.ts'
import { SettingFooter, SettingGroup } from '../rows/SettingGroup.tsx'
import { RuleRow } from './RuleRow.tsx'
import { moveItem, newRule } from './rules.ts'
import './RulesEditor.css'

interface RulesEditorProps {
  title: string
  hint: string
  rules: readonly Rule[]
  onChange(rules: Rule[]): void
}

/** Rules in their order: the last that matches decides (docs/decisions.md 5). */
export function RulesEditor({ title, hint, rules, onChange }: RulesEditorProps) {
  const { t } = useTranslation()
  const nextKey = useRef(rules.length)
  // Rules have no ids: each gets a key, so that a row keeps its focus when it moves.
  const [keys, setKeys] = useState(() => rules.map((_, index) => index))
  const [newest, setNewest] = useState<number>()

  function set(list: Rule[], order: number[]): void {
    setKeys(order)
    onChange(list)
  }

  function add(): void {
    const key = nextKey.current
    nextKey.current += 1
    setNewest(key)
    set([...rules, newRule()], [...keys, key])
  }

  return (
    <SettingGroup title={title} hint={hint}>
      {rules.length > 0 && (
        <ol className="RulesEditor">
          {rules.map((rule, index) => (
            <RuleRow
              key={keys[index]}
              rule={rule}
              index={index}
              count={rules.length}
              isNew={keys[index] === newest}
              onChange={(changed) => set(rules.toSpliced(index, 1, changed), keys)}
              onMove={(by) => set(moveItem(rules, index, by), moveItem(keys, index, by))}
              onRemove={() => set(rules.toSpliced(index, 1), keys.toSpliced(index, 1))}
            />
          ))}
        </ol>
      )}
      <SettingFooter hint={rules.length === 0 && t('settings.rules.none')}>
        <Button icon="plus" onClick={add}>
          {t('settings.rules.add')}
        </Button>
      </SettingFooter>
    </SettingGroup>
  )
}
