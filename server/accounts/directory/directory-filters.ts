/**
 * The filters of a search. What a user has typed is put into the parsed filter and never into its text, so that no character
 * of it has a meaning there (RFC 4515).
 */
import {
  AndFilter,
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  FilterParser,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from 'ldapts'
import { Fault } from '#wire/fault.ts'

/** Stands for what the user has typed, and in a filter of groups for the name of the user. */
const USERNAME = '{username}'
/** In a filter of groups: the distinguished name of the user. */
const DN = '{dn}'

type Replace = (text: string) => string

/** @throws Fault badRequest (the filter is not valid, or has no `{username}`) */
export function userFilter(template: string, username: string): Filter {
  const parsed = parse(template)
  if (!hasPlaceholder(parsed, [USERNAME])) throw invalid(`It needs ${USERNAME}.`)
  return substituted(parsed, (text) => text.replaceAll(USERNAME, () => username))
}

/**
 * The filter of one entry that the filter of users can find, whatever its names are.
 *
 * @param attribute that identifies the entry
 */
export function entryFilter(template: string, attribute: string, value: Buffer | string): Filter {
  const identity = new EqualityFilter({ attribute, value })
  return new AndFilter({ filters: [identity, withAnyUsername(parse(template))] })
}

/** @throws Fault badRequest (the filter is not valid, or has neither `{dn}` nor `{username}`) */
export function groupFilter(
  template: string,
  { dn, username }: { dn: string; username: string },
): Filter {
  const parsed = parse(template)
  if (!hasPlaceholder(parsed, [USERNAME, DN])) throw invalid(`It needs ${DN} or ${USERNAME}.`)
  const values: Record<string, string> = { [USERNAME]: username, [DN]: dn }
  return substituted(parsed, (text) =>
    text.replaceAll(/\{(?:username|dn)\}/g, (found) => values[found] ?? found),
  )
}

function parse(template: string): Filter {
  try {
    return FilterParser.parseString(template)
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : '')
  }
}

function invalid(detail: string): Fault {
  return new Fault('badRequest', `The filter is not valid. ${detail}`, {
    reason: 'directoryFilter',
    field: 'filter',
  })
}

/** A placeholder below a negation does not count (`textsOf` knows none): such a filter finds everyone else. */
function hasPlaceholder(filter: Filter, names: readonly string[]): boolean {
  if (filter instanceof AndFilter || filter instanceof OrFilter)
    return filter.filters.some((one) => hasPlaceholder(one, names))
  return textsOf(filter).some((text) => names.some((name) => text.includes(name)))
}

function textsOf(filter: Filter): string[] {
  if (filter instanceof SubstringFilter) return [filter.initial, ...filter.any, filter.final]
  if (filter instanceof EqualityFilter) return [filter.value.toString()]
  if (filter instanceof ApproximateFilter) return [filter.value]
  return filter instanceof ExtensibleFilter ? [filter.value] : []
}

function substituted(filter: Filter, replace: Replace): Filter {
  if (filter instanceof AndFilter) {
    return new AndFilter({ filters: filter.filters.map((one) => substituted(one, replace)) })
  }
  if (filter instanceof OrFilter) {
    return new OrFilter({ filters: filter.filters.map((one) => substituted(one, replace)) })
  }
  if (filter instanceof NotFilter) {
    return new NotFilter({ filter: substituted(filter.filter, replace) })
  }
  if (filter instanceof SubstringFilter) {
    const { attribute, initial, any: inner, final } = filter
    const [first, last] = [replace(initial), replace(final)]
    return new SubstringFilter({ attribute, initial: first, any: inner.map(replace), final: last })
  }
  if (filter instanceof EqualityFilter) {
    const { attribute, value } = filter
    return new EqualityFilter({ attribute, value: replace(value.toString()) })
  }
  if (filter instanceof ApproximateFilter) {
    return new ApproximateFilter({ attribute: filter.attribute, value: replace(filter.value) })
  }
  if (filter instanceof ExtensibleFilter) {
    const { rule, matchType, dnAttributes, value } = filter
    return new ExtensibleFilter({ rule, matchType, dnAttributes, value: replace(value) })
  }
  return filter
}

/** The same filter with any value where the name of the user is. */
function withAnyUsername(filter: Filter): Filter {
  if (filter instanceof AndFilter)
    return new AndFilter({ filters: filter.filters.map(withAnyUsername) })
  if (filter instanceof OrFilter)
    return new OrFilter({ filters: filter.filters.map(withAnyUsername) })
  if (!textsOf(filter).some((text) => text.includes(USERNAME))) return filter
  const attribute = filter instanceof ExtensibleFilter ? filter.matchType : attributeOf(filter)
  return new PresenceFilter({ attribute: attribute || 'objectClass' })
}

function attributeOf(filter: Filter): string {
  return 'attribute' in filter ? String(filter.attribute) : ''
}
