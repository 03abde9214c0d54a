/** What a call carries, as one object for the whole request. */
import type { AnyCall } from './context.ts'

/**
 * Gives a call variables of its own. Hono keeps them in a map, and makes a new object of all of them each time that one
 * is looked at (hono 4.13, `Context.var`): some twenty times a request.
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
