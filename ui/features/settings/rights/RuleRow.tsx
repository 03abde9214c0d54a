import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withLeadingSlash } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'
import { ruleProblemOf, ruleText, withText } from './rules.ts'
import './RuleRow.css'

interface RuleRowProps {
  rule: Rule
  /** The position of the rule, from 0. */
  index: number
  /** The number of rules. */
  count: number
  /** Whether the rule was just added: its text then gets the focus. */
  isNew: boolean
  onChange(rule: Rule): void
  onMove(by: -1 | 1): void
  onRemove(): void
}

/** One rule: allow or deny, a path or an expression, and buttons that move and remove it. */
export function RuleRow(props: RuleRowProps) {
  const { rule, index, count, isNew, onChange, onMove, onRemove } = props
  const { t } = useTranslation()
  const problem = ruleProblemOf(rule)
  const number = index + 1
  return (
    <li className="RuleRow">
      <div className="RuleRow__verdict">
        <Select
          aria-label={t('settings.rules.verdictOf', { number })}
          value={rule.allow ? 'allow' : 'deny'}
          options={[
            { value: 'deny', label: t('settings.rules.deny') },
            { value: 'allow', label: t('settings.rules.allow') },
          ]}
          onChange={(event) => onChange({ ...rule, allow: event.target.value === 'allow' })}
        />
      </div>
      <div className="RuleRow__kind">
        <Select
          aria-label={t('settings.rules.kindOf', { number })}
          value={rule.regex ? 'regex' : 'path'}
          options={[
            { value: 'path', label: t('settings.rules.path') },
            { value: 'regex', label: t('settings.rules.regex') },
          ]}
          onChange={(event) =>
            onChange(withText(rule, ruleText(rule), event.target.value === 'regex'))
          }
        />
      </div>
      <div className="RuleRow__text" data-invalid={problem === 'badExpression' || undefined}>
        <Input
          aria-label={t('settings.rules.textOf', { number })}
          aria-invalid={problem === 'badExpression'}
          dir="ltr"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          autoFocus={isNew}
          placeholder={rule.regex ? t('settings.rules.regexExample') : t('settings.rules.example')}
          value={ruleText(rule)}
          onChange={(event) => onChange(withText(rule, event.target.value))}
          onBlur={() => onChange(withLeadingSlash(rule))}
        />
      </div>
      <div className="RuleRow__actions">
        <IconButton
          icon="arrow-up"
          size="s"
          label={t('settings.rules.up', { number })}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon="arrow-down"
          size="s"
          label={t('settings.rules.down', { number })}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        />
        <IconButton
          icon="trash-2"
          size="s"
          label={t('settings.rules.remove', { number })}
          onClick={onRemove}
        />
      </div>
      {problem === 'badExpression' && (
        <p className="RuleRow__problem" role="alert">
          {t('settings.rules.problems.badExpression')}
        </p>
      )}
    </li>
  )
}
