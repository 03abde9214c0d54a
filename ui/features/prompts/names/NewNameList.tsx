import { Icon } from '#ui/components/icons/Icon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { NewName } from '#ui/lib/entries/new-names.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

/** The first names, old and new, and after them those that cannot be used. */
export function NewNameList({ names }: { names: readonly NewName[] }) {
  const { t } = useTranslation()
  const max = ON_DEMAND_LIMITS.newNamesShown
  const invalid = names.slice(max).filter(({ problem }) => problem)
  const shown = [...names.slice(0, max), ...invalid.slice(0, max)]
  const rest = names.length - shown.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
    <ul className="RenameManyCard__names" aria-label={t('prompts.renameMany.names')} tabIndex={0}>
      {shown.map((one) => (
        <NewNameRow key={one.entry.path} {...one} />
      ))}
      {rest > 0 && (
        <li className="RenameManyCard__row" data-more>
          {t('share.rest', { value: formatNumber(rest) })}
        </li>
      )}
    </ul>
  )
}

function NewNameRow({ entry, name, problem }: NewName) {
  const { t } = useTranslation()
  return (
    <li
      className="RenameManyCard__row"
      data-unchanged={name === entry.name || undefined}
      data-invalid={problem && true}
    >
      <Name>{entry.name}</Name>
      <Icon name="chevron-right" mirror />
      <span className="RenameManyCard__new">
        <Name>{name}</Name>
      </span>
      {problem && <span className="RenameManyCard__problem">{text()}</span>}
    </li>
  )

  function text(): string {
    if (problem === 'taken') return t('prompts.name.taken', { name })
    if (problem === 'empty' || problem === 'twice') return t(`prompts.renameMany.${problem}`)
    if (problem === 'reserved') return t('fault.nameReserved')
    return problem ? t(`prompts.name.${problem}`) : ''
  }
}
