/** Converts validation errors to plain messages. */
import type { z } from 'zod'

/** What a field must be, by the type that zod expects. */
const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/** The first validation error as a message that names the field. */
export function sentenceOf({ issues: [issue] }: z.ZodError): string {
  return issue ? sentenceOfIssue(issue) : 'The value does not have the expected form.'
}

/** One validation error as a message that names the field. */
export function sentenceOfIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.') || 'The value'
  return `${field} ${problemOf(issue)}.`
}

function problemOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return `must ${have(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `must ${have(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`
    case 'invalid_format':
      return `does not have the expected form: ${issue.message}`
    case 'custom':
      return `is not accepted: ${issue.message}`
    default:
      return 'does not have the expected form'
  }
}

/** The verb before a limit: a text has characters, a number is. */
function have(origin: string): string {
  return unit(origin) ? 'have' : 'be'
}

function unit(origin: string): string {
  return { string: ' characters', array: ' items', set: ' items' }[origin] ?? ''
}
