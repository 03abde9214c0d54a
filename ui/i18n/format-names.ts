/** The names in a message about several entries. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { displayName } from '#wire/names.ts'
import { formatList, formatNumber } from './format.ts'
import { t } from './i18n.ts'

/**
 * The first names, and how many others there are. The translation of the message makes characters visible that could
 * disguise a name.
 */
export function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, ON_DEMAND_LIMITS.namesInMessage).map((name) => displayName(name))
  const rest = names.length - shown.length
  return formatList(rest > 0 ? [...shown, t('share.rest', { value: formatNumber(rest) })] : shown)
}
