/** Stores the variables of a request in one object. */
import type { AnyCall } from './context.ts'

/**
 * Replaces Hono's variables, which are a map that is copied to a new object at each access (hono 4.13,
 * `Context.var`), some twenty times a request.
 */
export function keepVariables(call: AnyCall): void {
  const variables: Record<string, unknown> = {}
  Object.defineProperties(call, {
    var: { value: variables },
    get: { value: (name: string) => variables[name] },
    set: {
      value(name: string, value: unknown) {
        variables[name] = value
      },
    },
  })
}
